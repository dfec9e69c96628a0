# SPDX-License-Identifier: Apache-2.0
"""Every form of a report and of a fleet: what it holds is what the report holds, hostile texts break none, `--also` writes files
as a whole or not at all. format_readers_test.py holds the same forms against parsers and programs of others."""
import collections
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import hostile  # noqa: E402
from drawn import drawn  # noqa: E402
from muster import BIN, SOURCE, STEADY_MEMORY, expect_refused, muster  # noqa: E402

EXAMPLES = sorted((SOURCE / "results/examples").glob("*.json"))
CASES = {"junit": "failure", "ctrf": "failed"}
SERIES = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)+\})? [0-9.e+-]+')
FORMULA = re.compile(r"\s*[=+@\uff1d\uff0b\uff0d\uff20-]")
NUMBER = re.compile(r"-?[0-9.]+(e[+-][0-9]+)?")
MOST_SERIES = 1000


def shown(file, form, *more, command=("report",)):
    """What it prints, and its exit code."""
    done = subprocess.run([BIN / "muster", *command, file, "--format", form, *more], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return done.stdout.decode(), done.returncode, done.stderr.decode()


def statuses(report):
    """How many verdicts of each run there are, with one more where none tells how it ended."""
    counts = collections.Counter()
    for check in report["checks"]:
        own = [verdict["status"] for verdict in check["verdicts"]]
        counts.update(own if check["status"] in own else [*own, check["status"]])
    if report["status"] not in ("pass", "warn") and not counts["fail"] + counts["unknown"]:
        counts["unknown"] += 1
    return counts


class Formats(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def junit(self, text, wanted):
        root = ElementTree.fromstring(text)
        found = collections.Counter(outcome.tag for case in root.iter("testcase") for outcome in case)
        self.assertEqual([found[name] for name in ("failure", "error", "skipped", "system-out")],
                         [wanted[name] for name in ("fail", "unknown", "skip", "warn")])
        self.assertTrue(all(len(case) <= 1 for case in root.iter("testcase")))
        self.assertEqual(int(root.get("tests")), wanted.total())

    def ctrf(self, text, wanted):
        tests = json.loads(text)["results"]["tests"]
        self.assertEqual(collections.Counter(test["rawStatus"] for test in tests), +wanted)
        words = {"pass": "passed", "warn": "passed", "unknown": "failed", "fail": "failed", "skip": "skipped"}
        self.assertTrue(all(test["status"] == words[test["rawStatus"]] for test in tests))

    def csv(self, text):
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual([cell for row in rows for cell in row if FORMULA.match(cell) and not NUMBER.fullmatch(cell)], [])
        self.assertNotRegex(text, "[^\r]\n")
        return rows

    def openmetrics(self, text):
        self.assertTrue(text.endswith("\n# EOF\n"))
        lines = text.splitlines() if "\x85" not in text and "\u2028" not in text else text.split("\n")[:-1]
        series = [line for line in lines if not line.startswith("#")]
        for line in series:
            self.assertRegex(line, rf"\A{SERIES.pattern}\Z")
        self.assertEqual(len({line.rpartition(" ")[0] for line in series}), len(series))
        self.assertLessEqual(len(series), MOST_SERIES)
        return series

    def every_form(self, file):
        report = json.loads(file.read_text(), strict=False)
        made = {form: shown(file, form) for form in ("junit", "ctrf", "csv", "openmetrics", "ticket")}
        self.assertEqual({code for _, code, _ in made.values()}, {{"pass": 0, "warn": 0, "fail": 1}.get(report["status"], 3)}, made["csv"][2])
        wanted = statuses(report)
        self.junit(made["junit"][0], wanted)
        self.ctrf(made["ctrf"][0], wanted)
        rows = self.csv(made["csv"][0])
        self.assertEqual(sum(row[0] == "fact" for row in rows), sum(len(check["measurements"]) for check in report["checks"]))
        self.assertEqual(sum(row[0] == "check" for row in rows), len(report["checks"]))
        self.openmetrics(made["openmetrics"][0])
        self.assertTrue(made["ticket"][0].startswith("muster ticket: "))
        self.assertNotRegex(made["ticket"][0].replace("\n", ""), "[\x00-\x1f\x7f-\x9f]")

    def test_examples(self):
        for file in EXAMPLES:
            with self.subTest(file.name):
                self.every_form(file)

    def test_hostile_reports(self):
        for seed in drawn(4, range(100)):
            for example in drawn(1, [file for file in EXAMPLES if file.stem != "gpu"]):
                with self.subTest(seed=seed, of=example.name):
                    file = self.folder / "hostile.json"
                    file.write_text(hostile.report(seed, json.loads(example.read_text())))
                    self.every_form(file)
                    code = shown(file, "ticket")[1]
                    file.write_text(shown(file, "json", "--redact")[0])
                    self.assertEqual(shown(file, "ticket")[1], code)

    def test_bytes_that_are_no_text_are_refused(self):
        file = self.folder / "bytes.json"
        file.write_bytes(EXAMPLES[0].read_bytes().replace(b"gpu-0017", b"gpu\xff"))
        self.assertEqual(shown(file, "csv")[1], 2)

    def test_redacted(self):
        names = ("gpu-0017", "GGBB90904476", "7c1de3e8-90a5-4dd2-8f4e-5f3a0c8f8a2b")
        file = SOURCE / "results/examples/fail.json"
        for form in ("text", "json", "junit", "ctrf", "csv", "openmetrics", "ticket"):
            text = shown(file, form, "--redact")[0]
            self.assertEqual([name for name in names if name in text], [], form)
        self.assertIn(names[1], shown(file, "ticket")[0])

    def test_also_writes_files_and_replaces_its_own(self):
        file = SOURCE / "results/examples/fail.json"
        forms = ("text", "json", "junit", "ctrf", "csv", "openmetrics", "ticket")
        wanted = [f"--also={form}={self.folder / form}" for form in forms]
        for _ in range(2):
            done = muster("report", file, *wanted, folder=self.folder)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
        for form in forms:
            self.assertEqual((self.folder / form).read_bytes().decode(), shown(file, form)[0], form)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(forms))

    def test_also_refuses_before_anything_is_measured(self):
        (self.folder / "mine").write_text("mine\n")
        for place in ("mine", "none/file", "."):
            done = muster("limits", "--also", f"csv={place}", folder=self.folder)
            expect_refused(self, done, "--also", place)
        self.assertEqual((self.folder / "mine").read_text(), "mine\n")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["mine"])
        expect_refused(self, muster("limits", "--also", "cvs=x", folder=self.folder), "--also", "Did you mean 'csv'")
        expect_refused(self, muster("limits", "--also", "csv=x", "--also", "ctrf=x", folder=self.folder), "--also")

    def test_a_file_that_is_lost_on_the_way_is_a_warning(self):
        (self.folder / "gone").mkdir()
        with subprocess.Popen([BIN / "muster", *map(str, STEADY_MEMORY), "--report", "r.json", "--also", "csv=gone/x.csv", "--also", "ctrf=y.json"],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while not (self.folder / "r.json").exists():
                time.sleep(0.002)
            (self.folder / "gone").rmdir()
            _, said = process.communicate()
        code = {"pass": 0, "warn": 0, "fail": 1}.get(json.loads((self.folder / "r.json").read_text())["status"], 3)
        self.assertEqual(process.returncode, code)
        self.assertRegex(said, r"--also csv=gone/x\.csv is not written: ")
        self.assertTrue((self.folder / "y.json").exists())

    def test_a_fleet(self):
        nodes = self.folder / "nodes"
        nodes.mkdir()
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        for number, example in enumerate(("pass", "fail", "warn"), 1):
            text = (SOURCE / f"results/examples/{example}.json").read_text()
            report = json.loads(re.sub(r"\b(gpu-\d{4}|build-07)\b", f"gpu-{number}", text))
            (nodes / f"{number}.json").write_text(json.dumps(report | {"run_id": f"r{number}", "started": now}))
        done = muster("fleet", "collect", nodes, "--nodes", "gpu-[1-4]", "--also", "openmetrics=fleet.prom", folder=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        fleet = self.folder / "muster-fleet.json"
        made = {form: shown(fleet, form, command=("fleet", "summary")) for form in ("junit", "ctrf", "csv", "openmetrics", "ticket", "json", "text")}
        self.assertEqual({code for _, code, _ in made.values()}, {1})
        self.assertEqual(len(list(ElementTree.fromstring(made["junit"][0]))), 4)
        self.assertEqual(sum(row[0] == "node" for row in self.csv(made["csv"][0])), 4)
        series = self.openmetrics(made["openmetrics"][0])
        self.assertIn('muster_fleet_nodes{state="missing"} 1', series)
        self.assertEqual((self.folder / "fleet.prom").read_text(), made["openmetrics"][0])
        self.assertIn("muster ticket: gpu-2 FAIL", made["ticket"][0])
        one = shown(fleet, "ticket", "--node", "gpu-1", command=("fleet", "summary"))
        self.assertEqual(one[1], 0)
        self.assertIn("muster ticket: gpu-1 PASS", one[0])
        self.assertEqual(shown(fleet, "csv", "--node", "gpu-9", command=("fleet", "summary"))[1], 2)


if __name__ == "__main__":
    unittest.main()
