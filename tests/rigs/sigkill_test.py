# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at random moments: never an invalid report, nothing lost that was printed, no process left."""
import contextlib
import json
import os
import pathlib
import random
import re
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from installed import Installation  # noqa: E402
from muster import VALIDATOR, refuse  # noqa: E402

MOMENTS = 100
LONGEST = 0.6
FAMILY = "setsid sh -c 'trap \"\" TERM INT HUP; while :; do sleep 0.2; done' &\n"


def installation(folder):
    made = Installation(folder)
    made.real("limits", seconds=0)
    made.real("inventory", seconds=0.1)
    made.script("hangs_with_a_family", FAMILY + "(" + FAMILY + " wait) & wait", seconds=0.2)
    made.script("follows", FAMILY + "sleep 0.1", seconds=0.3)
    return made


class Reader(threading.Thread):
    """Collects the lines that a run has printed."""

    def __init__(self, stream):
        super().__init__()
        self.stream, self.lines = stream, []
        self.start()

    def run(self):
        with self.stream:
            for line in self.stream:
                self.lines.append(line.decode().rstrip("\n"))


class Killed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        cls.scratch = cls.folder / "scratch"
        cls.scratch.mkdir()
        cls.made = installation(cls.folder / "prefix")
        cls.random = random.Random(20261121)
        cls.number = 0

    def start(self, *arguments):
        type(self).number += 1
        folder = self.folder / str(self.number)
        folder.mkdir()
        run = self.made.start("--even-if-in-use", "--scratch", self.scratch, *arguments, folder=folder)
        self.addCleanup(run.clear)
        return run, Reader(run.process.stderr)

    def report(self, run):
        """What is on disk: a valid report, or None when there is none."""
        with contextlib.suppress(FileNotFoundError):
            document = json.loads(run.report.read_text(), parse_constant=refuse)
            VALIDATOR.validate(document)
            return document
        return None

    def kill_at_a_random_moment(self, victim, timeout):
        run, printed = self.start("--timeout", timeout)
        moment = self.random.uniform(0, LONGEST)
        while time.monotonic() - run.started < moment:
            self.report(run)
            time.sleep(self.random.uniform(0, 0.05))
        with contextlib.suppress(ProcessLookupError):  # a victim that ended by itself just then
            run.kill(victim)
        run.process.wait()
        self.assertTrue(run.gone_within(3), f"{run.alive()} alive 3 s after {victim} was killed")
        printed.join()
        return printed.lines, self.report(run)

    def check_promises(self, lines, document):
        if "report: muster-report.json" not in lines:
            return 0
        self.assertIsNotNone(document)
        outcomes = {check["check"]: check["outcome"] for check in document["checks"]}
        results = [words[1] for line in lines if re.match(r"(PASS|WARN|FAIL|UNKNOWN|SKIP) +\w+ ", line)
                   and (words := line.split())[1] in outcomes]
        for name in results:
            self.assertNotIn(outcomes[name], ("pending", "running"), lines)
        return len(results)

    def test_of_muster(self):
        results = [self.check_promises(*self.kill_at_a_random_moment("muster", timeout=30)) for _ in range(MOMENTS)]
        self.assertGreater(sum(count > 0 for count in results), MOMENTS / 10, "the moments were too early to prove much")
        self.assertGreater(sum(count < 3 for count in results), MOMENTS / 10, "the moments were too late to prove much")

    def test_of_a_guard_or_a_child_costs_its_own_check_only(self):
        for victim in ["guard", "child"] * 8:
            lines, document = self.kill_at_a_random_moment(victim, timeout=0.5)
            self.check_promises(lines, document)
            for check in document["checks"]:
                self.assertNotIn(check["outcome"], ("pending", "running"), lines)

    def test_the_next_run_clears_away_what_is_left(self):
        run, printed = self.start("--only", "hangs_with_a_family")
        time.sleep(0.5)
        run.kill("muster")
        run.process.wait()
        printed.join()
        self.assertTrue(run.gone_within(3))
        self.assertTrue(any(self.scratch.glob("muster-run-*")))
        run, printed = self.start("--only", "limits")
        run.process.wait()
        printed.join()
        self.assertEqual(list(self.scratch.glob("muster-run-*")), [])


if __name__ == "__main__":
    unittest.main()
