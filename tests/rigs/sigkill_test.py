# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at random moments: never an invalid report, nothing lost that was printed, no process left."""
import concurrent.futures
import contextlib
import itertools
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
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from drawn import IS_WHOLE  # noqa: E402
from installed import Installation  # noqa: E402
from muster import REPORT, refuse  # noqa: E402

MOMENTS = 100 if IS_WHOLE else 40
LONGEST = 0.6  # seconds, at first
AT_ONCE = 4
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
        cls.made = installation(cls.folder / "prefix")
        cls.number = itertools.count()

    def setUp(self):
        self.random = random.Random(20261121)
        self.scratch = self.folder / self._testMethodName
        self.scratch.mkdir()

    def start(self, *arguments):
        folder = self.scratch.with_name(f"{self.scratch.name}{next(self.number)}")
        folder.mkdir()
        run = self.made.start("--even-if-in-use", "--scratch", self.scratch, *arguments, folder=folder)
        self.addCleanup(run.clear)
        return run, Reader(run.process.stderr)

    def report(self, run):
        """What is on disk: a valid report, or None when there is none."""
        with contextlib.suppress(FileNotFoundError):
            document = json.loads(run.report.read_text(), parse_constant=refuse)
            REPORT.validate(document)
            return document
        return None

    def each_killed(self, victims, timeout, longest=LONGEST):
        """What each printed and left that was killed so, a few at once."""
        moments = [self.random.uniform(0, longest) for _ in victims]
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(self.killed, victims, itertools.repeat(timeout), moments))

    def killed(self, victim, timeout, moment):
        run, printed = self.start("--timeout", timeout)
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

    def results(self, count, longest):
        """How many results each run had printed that was killed within `longest` seconds."""
        return [self.check_promises(*killed) for killed in self.each_killed(["muster"] * count, 30, longest)]

    def test_of_muster(self):
        longest, results = LONGEST, []
        while len(results) < MOMENTS:
            drawn = self.results(10, longest)
            too_early, too_late = drawn.count(0), sum(count >= 3 for count in drawn)
            longest *= 2 ** ((too_early > 7) - (too_late > 7))  # as busy as the machine is
            results += drawn
        self.assertGreater(sum(count > 0 for count in results), MOMENTS / 10, "the moments were too early to prove much")
        self.assertGreater(sum(count < 3 for count in results), MOMENTS / 10, "the moments were too late to prove much")

    def test_of_a_guard_or_a_child_costs_its_own_check_only(self):
        for lines, document in self.each_killed(["guard", "child"] * (8 if IS_WHOLE else 3), 0.5):
            self.check_promises(lines, document)
            for check in document["checks"]:
                self.assertNotIn(check["outcome"], ("pending", "running"), lines)

    def test_the_next_run_clears_away_what_is_left(self):
        run, printed = self.start("--only", "hangs_with_a_family")
        while run.process.poll() is None and not any(self.scratch.glob("muster-run-*")):
            time.sleep(0.05)
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
    beside.main(2)
