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

PAIRS = 5
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


class DiskBesideMemory(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=BIN)
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def test_a_disk_is_as_fast_beside_memory_that_is_placed(self):
        words = ""
        for _ in range(TRIES):
            words = self.moved()
            if not words:
                return
            time.sleep(5)
        self.fail(words)

    def moved(self):
        """What has moved by more than its interval, and by more than runs that are alike differ; nothing where all stayed."""
        rounds = []
        for _ in range(PAIRS):
            before = measured(self.folder)
            other = Preparing(self.folder)
            beside = measured(self.folder)
            self.assertTrue(other.end(), "it did not wait for its turn")
            rounds.append((before, beside, measured(self.folder)))
        problems = []
        for key in rounds[0][0]:
            alone = [(before[key][0] + after[key][0]) / 2 for before, _, after in rounds]
            moved = abs(statistics.median(beside[key][0] / rate for (_, beside, _), rate in zip(rounds, alone)) - 1)
            noise = statistics.median(abs(after[key][0] - before[key][0]) / rate for (before, _, after), rate in zip(rounds, alone))
            width = statistics.median(run[key][1] for one in rounds for run in one)
            if moved > max(width, noise):
                problems.append(f"{key}: moved by {100 * moved:.1f} %, its interval is {100 * width:.1f} %, its noise {100 * noise:.1f} %")
            elif noise > MOST_NOISE:
                problems.append(f"{key}: this machine is too noisy to tell: {100 * noise:.0f} % between runs that are alike")
        return "\n".join(problems)


if __name__ == "__main__":
    unittest.main()
