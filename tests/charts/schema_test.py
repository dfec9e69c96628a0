# SPDX-License-Identifier: Apache-2.0
"""The schemas of the values refuse what is wrong, and name it; every value has a case that is refused."""
import os
import sys
import unittest

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import allreduce_values  # noqa: E402
import healthcheck_values  # noqa: E402
import local_nvme_scratch_values  # noqa: E402
import node_labeler_values  # noqa: E402
from chart import CHART, HEALTHCHECK, LABELER, SCRATCH, nested, render_all, schema  # noqa: E402


def nodes(schema, path=""):
    """Every part of the schema that describes a value: (path, node)."""
    below = [(name, node) for name, node in schema.get("properties", {}).items()]
    below += [("*", node) for node in schema.get("patternProperties", {}).values()]
    below += [("[]", schema["items"])] if "items" in schema else []
    for name, node in below:
        yield f"{path}{name}", node
        yield from nodes(node, f"{path}{name}.")


def joined(one, other):
    """Both trees of values in one; None where they speak of the same value."""
    if not (isinstance(one, dict) and isinstance(other, dict)):
        return None
    both = one | other
    for name in one.keys() & other.keys():
        both[name] = joined(one[name], other[name])
        if both[name] is None:
            return None
    return both


def together(refused):
    """As few files as hold all of them, for Helm names everything that is wrong with a file: (values, what it must name)."""
    files = []
    for path, values, words in refused:
        for file in files:
            both = joined(file[0], values)
            if both is not None:
                file[0] = both
                file[1].append((path, words))
                break
        else:
            files.append([values, [(path, words)]])
    return files


def pointer(path):
    """As Helm names a place: "/a/0" of "a.[]"."""
    return path and "/" + path.replace("[]", "0").replace(".", "/")


def has_fields(node):
    return "properties" in node or "patternProperties" in node


class Refusals:
    """Of a chart, whose values are those of `cases`: WRONG, FIELDS, RIGHT, WITH_CHOICES, and NO_DEFAULT."""

    chart = None
    cases = None

    @classmethod
    def setUpClass(cls):
        cls.schema = schema(cls.chart)
        cls.parts = [("", cls.schema), *nodes(cls.schema)]

    def render(self, values):
        return render_all(values, chart=self.chart)

    def refused(self):
        """Values that must be: (what for, values, words of the refusal)."""
        fields = self.cases.FIELDS
        for path, value in self.cases.WRONG.items():
            place = path.replace("*", fields.get(path.removesuffix(".*"), ("",))[0])
            yield path, nested(place, value), f"at '{pointer(place)}'"
        for path, node in self.parts:
            if has_fields(node):
                field = fields[path][1] if path in fields else "unknown"
                yield (f"{path}.{field}", nested(f"{path}.{field}".lstrip("."), "1"),
                       f"at '{pointer(path)}': additional properties '{field}' not allowed")

    def test_every_value_has_a_wrong_one(self):
        self.assertEqual({path for path, node in self.parts if not has_fields(node)}, set(self.cases.WRONG))
        self.assertEqual({path for path, node in self.parts if "patternProperties" in node}, set(self.cases.FIELDS))

    def test_what_is_wrong_is_refused_and_named(self):
        refused = list(self.refused())
        self.assertGreater(len(refused), len(self.cases.WRONG) + len(self.cases.FIELDS))
        files = together(refused)
        for (_, expected), (_, made) in zip(files, self.render([values for values, _ in files])):
            self.assertNotEqual(made.code, 0)
            self.assertEqual(made.text, "")
            self.assertIn("don't meet the specifications of the schema", made.problem)
            for path, words in expected:
                with self.subTest(path):
                    self.assertIn(words, made.problem)

    def test_what_is_right_is_taken(self):
        choices = [nested(path, choice) | self.cases.WITH_CHOICES for path, node in self.parts for choice in node.get("enum", ())]
        self.assertGreater(len(choices), 5)
        for values, made in self.render(self.cases.RIGHT + choices):
            with self.subTest(values):
                self.assertEqual(made.code, 0, made.problem)

    def test_every_part_says_what_it_is_and_takes_nothing_unknown(self):
        for path, node in self.parts:
            with self.subTest(path):
                self.assertTrue(node.get("description") or node.get("title"))
                if has_fields(node):
                    self.assertIs(node["additionalProperties"], False)

    def test_every_value_has_a_default(self):
        def compare(part, values, path):
            self.assertEqual(set(part["properties"]) - set(values), self.cases.NO_DEFAULT.get(path, set()))
            for name, node in part["properties"].items():
                if "properties" in node and "affinity" not in name:
                    compare(node, values[name], f"{path}{name}.")

        compare(self.schema, yaml.safe_load((self.chart / "values.yaml").read_text()), "")


class Allreduce(Refusals, unittest.TestCase):
    chart = CHART
    cases = allreduce_values


class Healthcheck(Refusals, unittest.TestCase):
    chart = HEALTHCHECK
    cases = healthcheck_values


class LocalNvmeScratch(Refusals, unittest.TestCase):
    chart = SCRATCH
    cases = local_nvme_scratch_values

    def test_the_folder_above_the_mount_is_none_that_the_pod_needs(self):
        wrong = ("/scratch", "mnt/scratch", "/mnt/scratch/", "/mnt/../usr/x", "/mnt//x", "/dev/scratch", "/run/scratch", "/lib64/x", "/proc/1")
        for path, (_, made) in zip(wrong, self.render([{"mountPath": path} for path in wrong])):
            with self.subTest(path):
                self.assertIn("at '/mountPath'", made.problem)


class NodeLabeler(Refusals, unittest.TestCase):
    chart = LABELER
    cases = node_labeler_values


if __name__ == "__main__":
    unittest.main()
