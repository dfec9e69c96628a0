# SPDX-License-Identifier: Apache-2.0
"""Whole boots of healthy machines of many kinds: nothing is said of them but what exceptions.json lists, and a fault in
the midst of each is found."""
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from drawn import drawn  # noqa: E402
from muster import SOURCE, muster, only_report  # noqa: E402

HEALTHY = SOURCE / "tests/kernel_log/healthy"
LOGS = sorted(HEALTHY.glob("*.txt"))
EXCEPTIONS = json.loads((HEALTHY / "exceptions.json").read_text())
REWRITTEN = [log.stem for log in LOGS if log.stem.startswith("seen-")]
# What every boot says in the midst of it, and what a GPU that is lost makes the driver say behind it.
MIDST = re.compile("^(.*)(?:Run /init as init process|Write protecting the kernel read-only data: .*)$", re.MULTILINE)
LOST = "NVRM: Xid (PCI:00f1:7e:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus."
FOUND = ("fail", "gpu_lost", "00f1:7e:00.0")


def told(text):
    """Status, code and component of each thing that is worse than a pass."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "log").write_text(text, encoding="utf-8")
        muster("kernel_log", "--profile", "generic", "--file", "log", "--quiet", folder=folder)
        verdicts = only_report(folder)["checks"][0]["verdicts"]
    components = ("pci", "wording", "drive", "device", "cpu", "server", "interface", "array", "process")
    return {(each["status"], each["fault"], next((each["labels"][name] for name in components if name in each["labels"]), ""))
            for each in verdicts if each["status"] not in ("pass", "skip")}


def excepted(log):
    return {(each["status"], each["code"], each["of"]) for each in EXCEPTIONS if log in each["logs"]}


class Healthy(unittest.TestCase):
    def test_there_are_boots_of_many_kinds(self):
        self.assertGreaterEqual(len(REWRITTEN), 40)
        sources = (HEALTHY / "SOURCES.md").read_text()
        self.assertEqual([log.stem for log in LOGS if f"| {log.stem} |" not in sources], [])
        held_out = [line for line in sources.splitlines() if line.startswith("| seen-") and line.endswith("| yes |")]
        self.assertGreaterEqual(len(held_out), 12)

    def test_exceptions_have_a_reason_and_a_log(self):
        for each in EXCEPTIONS:
            self.assertTrue(each["reason"])
            self.assertLessEqual(set(each["logs"]), {log.stem for log in LOGS})

    def test_nothing_else_is_said_of_them(self):
        for log in LOGS:
            with self.subTest(log.name):
                self.assertEqual(told(log.read_text()), excepted(log.stem))

    def test_a_fault_in_the_midst_of_each_is_found(self):
        for log in drawn(20, LOGS):
            with self.subTest(log.name):
                text = log.read_text()
                *_, midst = MIDST.finditer(text)
                faulty = text[:midst.end()] + "\n" + midst[1] + LOST + text[midst.end():]
                self.assertEqual(told(faulty), excepted(log.stem) | {FOUND})


if __name__ == "__main__":
    unittest.main()
