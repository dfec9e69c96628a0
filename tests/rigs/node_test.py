# SPDX-License-Identifier: Apache-2.0
"""`muster node` on this machine and on the captured NDv5 node."""
import contextlib
import json
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.environ["MUSTER_SOURCE"], "tests/support")]
from installed import EXPECTATIONS, Installation  # noqa: E402
import beside  # noqa: E402
from muster import BIN, SOURCE, STEADY_MEMORY, expect_refused, muster, node, report  # noqa: E402

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
        self.assertEqual(run.stderr.splitlines()[0], "report: muster-report.json")
        self.assertIn(f"\n{report(self.folder)['status'].upper()}: ", run.stdout[-400:])

    def test_a_check_alone_says_on_a_terminal_what_it_does(self):
        ours, theirs = pty.openpty()
        with subprocess.Popen([BIN / "muster", *map(str, STEADY_MEMORY)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=theirs) as run:
            os.close(theirs)
            text = b""
            with contextlib.suppress(OSError):
                while part := os.read(ours, 4096):
                    text += part
        self.assertEqual(run.returncode, 0)
        self.assertRegex(text.decode(), r"\r\x1b\[Khost_memory \d\.\d s, usually 4 s \| \w")
        self.assertTrue(text.endswith(b"\r\x1b[K"), "the line is gone at the end")

    def test_a_report_that_cannot_be_written_any_more_ends_neither_the_run_nor_its_table(self):
        made = Installation(self.folder / "prefix")
        made.expect(*(wanted for wanted in EXPECTATIONS if wanted["check"] == "limits"))
        remove = f"until rm -rf {self.folder}/reports; do :; done"  # a report may be written there meanwhile
        made.script("takes_the_folder", f"{remove}; exit 3", seconds=0)
        made.real("limits", seconds=1)
        (self.folder / "reports").mkdir()
        run = made.start("--even-if-in-use", "--report", self.folder / "reports/node.json", folder=self.folder)
        lines, _ = run.ended()
        self.assertEqual(run.process.returncode, 3)
        self.assertTrue([line for line in lines if line.startswith("PASS     limits")], lines)
        self.assertTrue([line for line in lines if "could not be written: cannot open the folder" in line], lines)

    def test_variables_that_are_asked_for_are_in_the_report(self):
        run = node("--only", "limits", "--record", "RACK,SHELF", folder=self.folder, env=os.environ | {"RACK": "r7"})
        self.assertEqual(run.returncode, 0, run.stdout)
        environment = report(self.folder)["environment"]
        self.assertEqual((environment["RACK"], "SHELF" in environment), ("r7", False))
        expect_refused(self, node("--record", "RACK=r7", folder=self.folder), "--record: 'RACK=r7' is not a name")

    def test_what_disks_are_written_to_is_said_first(self):
        run = node("--only", "disk_io", "--timeout", "1", folder=self.folder)
        self.assertEqual(run.stderr.splitlines()[1], f"for a while: a file of up to 2 GiB in {self.folder}, of disk_io")

    def test_an_ndv5_tree_without_gpus_to_measure_fails_and_names_all_that_is_missing(self):
        name = "nd96isr_h100_v5"
        run = node("--root", SOURCE / "tests/machines/ndv5", "--profile", name, folder=self.folder)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
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
            self.assertIn(wanted["metric"], run.stdout)

    def test_the_ndv5_tree_is_told_by_its_devices(self):
        node("--root", SOURCE / "tests/machines/ndv5", "--only", "inventory", folder=self.folder)
        document = report(self.folder)
        self.assertEqual(document["profile"]["name"], "nd96isr_h100_v5")
        self.assertEqual(document["status"], "pass", document["summary"])

    def test_a_report_can_be_judged_again(self):
        node("--tier", "preflight", "--profile", "generic", folder=self.folder)
        again = muster("judge", "muster-report.json", "--profile", "nd96isr_h100_v5", "--report", "again.json",
                       folder=self.folder)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertEqual(report(self.folder, "again.json")["profile"]["name"], "nd96isr_h100_v5")
        same = muster("judge", "muster-report.json", "--json", "--quiet", folder=self.folder)
        before, after = report(self.folder), json.loads(same.stdout)
        self.assertEqual(before["checks"], after["checks"])

    def test_list_says_what_can_run_here(self):
        about = {"bound": "at_least", "pass": 1, "fail": 1, "tier": "preflight", "fault": "open_files_too_low",
                 "source": "this test", "date": "2026-11-21"}
        (self.folder / "here.json").write_text(json.dumps({
            "name": "here", "description": "Checks that nobody built",
            "expectations": [{"check": "limits", "metric": "limits.open_files", **about},
                             {"check": "cpu", "metric": "cpu.usable", **about, "optional": True}]}))
        program = self.installation_without("limits", "cpu")
        run = muster("list", "--profile", "here.json", program=program, folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"(?m)^host_memory .*(cpu|memory)")
        self.assertRegex(run.stdout, r"(?m)^limits .*not built")
        self.assertNotRegex(run.stdout, r"(?m)^cpu ")

    def installation_without(self, *checks):
        """A muster whose build lacks these checks."""
        folder = self.folder / "installed"
        (folder / "bin").mkdir(parents=True)
        program = shutil.copy(BIN / "muster", folder / "bin")
        built = json.loads((BIN / "checks.json").read_text())
        (folder / "bin/checks.json").write_text(json.dumps([check for check in built if check["name"] not in checks]))
        for name in ("lib", "share"):
            (folder / name).symlink_to(BIN.parent / name)
        return program

    def test_what_list_says_of_a_check_is_what_the_check_says(self):
        for line in muster("list", folder=self.folder).stdout.splitlines()[1:]:
            check, scope = line.split()[:2]
            is_here = " no: " not in line
            if scope == "ranks" or (is_here and check not in ("limits", "inventory", "cpu", "ib_link", "topology")):
                continue  # it wants other ranks, or may take long
            run = muster("--report", "r.json", "--force", program="muster-" + check.replace("_", "-"), folder=self.folder)
            with self.subTest(check):
                self.assertEqual(run.returncode == 77, not is_here, run.stdout + run.stderr)


if __name__ == "__main__":
    beside.main(3)
