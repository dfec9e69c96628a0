# SPDX-License-Identifier: Apache-2.0
"""Reads the forms of reports in a folder by the wheels of others: read_forms.py FOLDER JUNIT_SCHEMA CTRF_SCHEMA. Prints what each
file holds, or what is wrong with it, as JSON."""
import json
import pathlib
import sys

import jsonschema
import xmlschema
from junitparser import JUnitXml
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as text_families

folder, xsd, ctrf = map(pathlib.Path, sys.argv[1:])
junit_schema = xmlschema.XMLSchema(str(xsd))
ctrf_schema = jsonschema.Draft7Validator(json.loads(ctrf.read_text()))
found = {}


def junit(file):
    junit_schema.validate(str(file))
    xml = JUnitXml.fromfile(str(file))
    outcomes = [type(result).__name__ for suite in xml for case in suite for result in case.result]
    again = JUnitXml.fromfile(str(file))
    again += xml
    again.update_statistics()
    assert again.tests == 2 * xml.tests and again.failures == 2 * xml.failures and again.errors == 2 * xml.errors, "merged"
    assert abs(again.time - 2 * sum(suite.time or 0 for suite in xml)) < 0.01, "time"
    return {name: outcomes.count(name) for name in ("Failure", "Error", "Skipped")} | {"tests": sum(len(suite) for suite in xml)}


def openmetrics(file):
    text = file.read_text()
    strict = {(s.name, *sorted(s.labels.items())): s.value for f in text_string_to_metric_families(text) for s in f.samples}
    plain = {(s.name, *sorted(s.labels.items())): s.value for f in text_families(text) for s in f.samples}
    assert strict == plain, "the two readers differ"
    return len(strict)


def read(file):
    if file.suffix == ".junit":
        return junit(file)
    if file.suffix == ".ctrf":
        ctrf_schema.validate(json.loads(file.read_text()))
    if file.suffix == ".openmetrics":
        return openmetrics(file)
    return None


for file in sorted(folder.iterdir()):
    try:
        found[file.name] = read(file)
    except Exception as error:  # whatever a reader raises is what is wrong
        found[file.name] = f"wrong: {type(error).__name__}: {str(error)[:400]}"
print(json.dumps(found))
