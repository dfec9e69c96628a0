# SPDX-License-Identifier: Apache-2.0
"""`muster node` on this machine and on the captured NDv5 node."""
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from muster import SOURCE, muster, node, report  # noqa: E402

PROFILES = SOURCE / "healthcheck/profiles"


def expectations(name):
    """Every expectation of a profile and of those it extends, evidence left out."""
    profile = json.loads((PROFILES / f"{name}.json").read_text())
    inherited = expectations(profile["extends"]) if "extends" in profile else []
    return inherited + profile["expectations"]


def verdicts(document):
    return [(check, verdict) for check in document["checks"] for verdict in check["verdicts"]]


class Node(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def test_every_check_that_ran_is_judged_or_says_why_not(self):
        run = node("--profile", "generic", folder=self.folder)
        document = report(self.folder)
        self.assertEqual(run.returncode, {"pass": 0, "warn": 0, "fail": 1, "unknown": 3, "skip": 3}[document["status"]])
        self.assertGreaterEqual(len(document["checks"]), 3)
        for check in document["checks"]:
            judged = [verdict for verdict in check["verdicts"] if verdict["status"] != "skip"]
            ran = check["outcome"] not in ("skipped", "not_built")
            self.assertTrue(judged or check.get("information") or not ran, check["check"])

    def test_the_report_is_named_first_and_the_table_printed_last(self):
        run = node("--tier", "preflight", folder=self.folder)
        lines = run.stderr.splitlines()
        self.assertEqual(lines[0], "report: muster-report.json")
        self.assertIn(report(self.folder)["status"].upper(), lines[-1])

    def test_an_ndv5_tree_without_gpus_to_measure_fails_and_names_all_that_is_missing(self):
        name = "nd96isr_h100_v5"
        run = node("--root", SOURCE / "tests/machines/ndv5", "--profile", name, folder=self.folder)
        self.assertEqual(run.returncode, 1, run.stderr)
        document = report(self.folder)
        measured = {(check["check"], fact["metric"]) for check in document["checks"] for fact in check["measurements"]}
        judged = {}
        for check, verdict in verdicts(document):
            judged.setdefault((check["check"], verdict["metric"]), set()).add(verdict["status"])
            if verdict["status"] in ("pass", "warn"):
                self.assertIn((check["check"], verdict["metric"]), measured, "green and not measured")
        unmeasured = [wanted for wanted in expectations(name)
                      if wanted.get("tier", "quick") != "full" and not wanted.get("optional")
                      and (wanted["check"], wanted["metric"]) not in measured]
        self.assertGreater(len(unmeasured), 10)
        for wanted in unmeasured:
            self.assertIn("fail", judged.get((wanted["check"], wanted["metric"]), set()), wanted)
            self.assertIn(wanted["metric"], run.stderr)

    def test_the_ndv5_tree_is_told_by_its_devices(self):
        node("--root", SOURCE / "tests/machines/ndv5", "--only", "inventory", folder=self.folder)
        document = report(self.folder)
        self.assertEqual(document["profile"]["name"], "nd96isr_h100_v5")
        self.assertEqual(document["status"], "pass", document["summary"])

    def test_a_report_can_be_judged_again(self):
        node("--tier", "preflight", "--profile", "generic", folder=self.folder)
        again = muster("judge", "muster-report.json", "--profile", "nd96isr_h100_v5", "--report", "again.json",
                       folder=self.folder)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertEqual(report(self.folder, "again.json")["profile"]["name"], "nd96isr_h100_v5")
        same = muster("judge", "muster-report.json", "--json", "--quiet", folder=self.folder)
        before, after = report(self.folder), json.loads(same.stdout)
        self.assertEqual(before["checks"], after["checks"])

    def test_list_says_what_can_run_here(self):
        wanted = {"metric": "x.y", "bound": "equals", "value": 0, "tier": "quick", "fault": "clock_wrong", "source": "this test",
                  "date": "2026-11-21"}
        (self.folder / "here.json").write_text(json.dumps({
            "name": "here", "description": "Checks that nobody built",
            "expectations": [{"check": "demanded", **wanted}, {"check": "welcome", **wanted, "optional": True}]}))
        run = muster("list", "--profile", "here.json", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"(?m)^host_memory .*(cpu|memory)")
        self.assertRegex(run.stdout, r"(?m)^demanded .*not built")
        self.assertNotIn("welcome", run.stdout)


if __name__ == "__main__":
    beside.main(3)
