#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The schema takes every example, and none of the broken variants: schema_test.py SOURCE."""

import copy
import json
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "tests/support"))

import validate  # noqa: E402
from schema import Schema  # noqa: E402


def changed(document, path, operation, value):
    if path == "":
        return value
    document = copy.deepcopy(document)
    *parents, last = path.split("/")[1:]
    place = document
    for name in parents:
        place = place[int(name)] if isinstance(place, list) else place[name]
    if operation == "remove":
        del place[last]
    else:
        place[last] = value
    return document


class SchemaOfReports(unittest.TestCase):
    def setUp(self):
        self.schema = Schema(SOURCE / "results/report.schema.json")
        self.healthy = (SOURCE / "results/examples/fail.json").read_text(encoding="utf-8")

    def test_takes_every_example(self):
        examples = sorted((SOURCE / "results/examples").glob("*.json"))
        self.assertEqual([e.stem for e in examples], ["fail", "gpu", "pass", "skip", "unknown", "warn"])
        for example in examples:
            self.assertIsNone(validate.fault(self.schema, example.read_text(encoding="utf-8")), example)
            self.assertIsNone(self.schema.exact_fault(json.loads(example.read_text())), example)

    def test_every_fault_of_the_examples_is_one_of_the_table(self):
        known = {row["code"] for row in json.loads((SOURCE / "healthcheck/faults.json").read_text())}
        for example in sorted((SOURCE / "results/examples").glob("*.json")):
            verdicts = [verdict for check in json.loads(example.read_text())["checks"] for verdict in check["verdicts"]]
            self.assertEqual([], [verdict["fault"] for verdict in verdicts if verdict["fault"] and verdict["fault"] not in known], example)

    def test_refuses_every_broken_variant(self):
        document = validate.strict(self.healthy)
        for broken in json.loads((SOURCE / "tests/results/broken_reports.json").read_text(encoding="utf-8")):
            variant = changed(document, broken["path"], broken["op"], broken.get("value"))
            self.assertIsNotNone(self.schema.quick_fault(variant), broken["name"])
            self.assertIsNotNone(self.schema.exact_fault(variant), broken["name"])

    def test_refuses_numbers_that_are_not_finite(self):
        for number in ("NaN", "Infinity", "-Infinity", "1e999"):
            text = self.healthy.replace('"duration_seconds": 7.02', f'"duration_seconds": {number}')
            self.assertNotEqual(text, self.healthy)
            self.assertIsNotNone(validate.fault(self.schema, text), number)

    def test_refuses_half_a_file(self):
        self.assertIsNotNone(validate.fault(self.schema, self.healthy[: len(self.healthy) // 2]))


if __name__ == "__main__":
    unittest.main()
