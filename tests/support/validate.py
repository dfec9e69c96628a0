#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Validates strict JSON against a JSON Schema: validate.py [--metrics TABLE] SCHEMA FILE_OR_FOLDER...

Of a folder all *.json below it. With a table of metrics, reports may hold no other ones, in no other unit, and with no other
labels and values of labels. Prints one line for each invalid file and how many are valid; exit 1 when one is not.
"""

import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import sys

from schema import Schema


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def finite(digits):
    if math.isinf(float(digits)):
        raise ValueError(f"{digits} is not finite")
    return float(digits)


def strict(text):
    return json.loads(text, parse_constant=refuse, parse_float=finite)


def unknown_label(row, labels):
    """Which label of a fact, or value of one, the row of the table does not have, None when it has all."""
    if "labels" not in row:
        return None
    for name, value in labels.items():
        if name not in {"host", *row["labels"]}:
            return f"the table of metrics has no label {name} of {row['metric']}"
        listed = row["labels"].get(name)
        if isinstance(listed, list) and listed and value not in listed:
            return f"the table of metrics has no {name} '{value}' of {row['metric']}"
    return None


def unknown_metric(metrics, report):
    """What of a report the table of metrics does not have, None when it has all."""
    for check in report["checks"]:
        for delta in check["evidence"]:
            if delta["metric"] not in metrics:
                return f"the table of metrics lacks {delta['metric']}"
        for fact in check["measurements"]:
            row = metrics.get(fact["metric"])
            if row is None:
                return f"the table of metrics lacks {fact['metric']}"
            if isinstance(fact["value"], dict) and fact["value"]["unit"] != row["unit"]:
                return f"{fact['metric']} is in {fact['value']['unit']}, in the table of metrics in {row['unit']}"
            if found := unknown_label(row, fact["labels"]):
                return found
    return None


def fault(schema, text, metrics=None):
    """Why the text is invalid, None when it is valid."""
    try:
        document = strict(text)
    except ValueError as error:
        return str(error)
    return schema.fault(document) or (unknown_metric(metrics, document) if metrics else None)


def files_in(places):
    for place in map(pathlib.Path, places):
        is_file = place.is_file() or place.suffix == ".json"
        yield from [place] if is_file else sorted(place.rglob("*.json"))


def faults_of(schema_file, metrics, files):
    schema = Schema(schema_file)
    return {file: fault(schema, file.read_text(encoding="utf-8"), metrics) for file in files}


def main(*arguments):
    metrics = None
    if arguments[0] == "--metrics":
        metrics = {row["metric"]: row for row in json.loads(pathlib.Path(arguments[1]).read_text(encoding="utf-8"))}
        arguments = arguments[2:]
    schema_file, *places = arguments
    files = [*files_in(places)]
    workers = min(len(os.sched_getaffinity(0)), 1 + len(files) // 100)
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        shares = pool.map(faults_of, itertools.repeat(schema_file), itertools.repeat(metrics),
                          (files[first::workers] for first in range(workers)))
        faults = {file: found for share in shares for file, found in share.items()}
    invalid = {file: found for file, found in faults.items() if found}
    for file, found in sorted(invalid.items()):
        print(f"{file}: {found}")
    print(f"{len(faults) - len(invalid)} of {len(faults)} are valid")
    return 1 if invalid else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
