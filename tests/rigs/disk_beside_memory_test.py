# SPDX-License-Identifier: Apache-2.0
"""What host_memory does while it waits for its turn moves no number of disk_io by more than its interval."""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.environ["MUSTER_SOURCE"], "tests/support")]
from muster import BIN, report  # noqa: E402
from preparing import Preparing  # noqa: E402

ROUNDS = 5  # more of each try, which looks at all of them
TRIES = 4
MOST_NOISE = 1  # between runs that are alike: above it nobody can tell


def measured(folder):
    """Of disk_io: each median, and half of its interval as a share of it."""
    words = [BIN / "muster-disk-io", "--quiet", "--size", "256M", "--seconds", "2", "--profile", "generic", "--report", "disk.json"]
    done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise unittest.SkipTest("this folder is on no disk")
    found = {}
    for fact in report(folder, "disk.json")["checks"][0]["measurements"]:
        interval = fact.get("summary", {}).get("median_interval")
        if interval:
            middle = fact["summary"]["median"]
            found[str(sorted(fact["labels"].items()))] = middle, (interval["high"] - interval["low"]) / 2 / middle
    return found


def moved(rounds):
    """What has moved by more than its interval, and by more than runs that are alike differ; nothing where all stayed."""
    problems = []
    for key in rounds[0][0]:
        alone = [(before[key][0] + after[key][0]) / 2 for before, _, after in rounds]
        by = statistics.median(beside[key][0] / rate for (_, beside, _), rate in zip(rounds, alone)) - 1
        noise = statistics.median(abs(after[key][0] - before[key][0]) / rate for (before, _, after), rate in zip(rounds, alone))
        width = statistics.median(run[key][1] for one in rounds for run in one)
        if abs(by) > max(width, noise):
            problems.append(f"{key}: moved by {by:+.1%} in {len(rounds)} rounds, its interval is {width:.1%}, its noise {noise:.1%}")
        elif noise > MOST_NOISE:
            problems.append(f"{key}: this machine is too noisy to tell: {noise:.0%} between runs that are alike")
    return "\n".join(problems)


class DiskBesideMemory(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=BIN)
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def test_a_disk_is_as_fast_beside_memory_that_is_placed(self):
        rounds, words = [], ""
        for _ in range(TRIES):
            rounds += [self.round() for _ in range(ROUNDS)]
            words = moved(rounds)
            if not words:
                return
            time.sleep(5)
        self.fail(words)

    def round(self):
        """A disk alone, beside memory that is placed, and alone again."""
        before = measured(self.folder)
        other = Preparing(self.folder)
        beside = measured(self.folder)
        self.assertTrue(other.end(), "it did not wait for its turn")
        return before, beside, measured(self.folder)


if __name__ == "__main__":
    unittest.main()
