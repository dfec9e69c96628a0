# SPDX-License-Identifier: Apache-2.0
"""What host_memory does while it waits for its turn moves no number of disk_io by more than its interval."""
import datetime
import fcntl
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import unittest

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.environ["MUSTER_SOURCE"], "tests/support")]
from installed import Installation  # noqa: E402
from muster import BIN, node, report  # noqa: E402

PAIRS = 5
TRIES = 4
MOST_NOISE = 1  # between runs that are alike: above it nobody can tell


def measured(folder):
    """Of disk_io: each median, and half of its interval as a share of it."""
    done = subprocess.run([BIN / "muster-disk-io", "--quiet", "--size", "256M", "--seconds", "2", "--profile", "generic", "--report", "disk.json"],
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise unittest.SkipTest("this folder is on no disk")
    found = {}
    for fact in report(folder, "disk.json")["checks"][0]["measurements"]:
        interval = fact.get("summary", {}).get("median_interval")
        if interval:
            middle = fact["summary"]["median"]
            found[str(sorted(fact["labels"].items()))] = middle, (interval["high"] - interval["low"]) / 2 / middle
    return found


class Preparing:
    """A host_memory whose turn does not come."""

    def __init__(self, folder):
        self.lock = open(folder / "turn", "w", encoding="utf-8")  # pylint: disable=consider-using-with
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [BIN / "muster-host-memory", "--quiet", "--turn", folder / "turn", "--report", folder / "memory.json"],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        has_waited = self.process.poll() is None
        self.process.kill()
        self.process.wait()
        self.lock.close()
        return has_waited


class SideBySide(unittest.TestCase):
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

    def test_what_places_memory_runs_only_where_nothing_else_wants_to(self):
        other = Preparing(self.folder)
        most = set()
        end = time.monotonic() + 60
        while len(most) < len(os.sched_getaffinity(0)) and time.monotonic() < end:
            for task in pathlib.Path(f"/proc/{other.process.pid}/task").iterdir():
                try:
                    if os.sched_getscheduler(int(task.name)) == os.SCHED_IDLE:
                        most.add(task.name)
                except (FileNotFoundError, ProcessLookupError):
                    continue
        self.assertTrue(other.end())
        self.assertTrue(most, "no thread gives way")

    def test_a_node_lets_it_prepare_while_a_disk_is_measured(self):
        done = node("--only", "disk_io,host_memory", "--profile", "generic", folder=self.folder)
        runs = {run["check"]: run for run in report(self.folder)["checks"] if run["outcome"] == "finished"}
        if "disk_io" not in runs:
            raise unittest.SkipTest("this folder is on no disk")
        self.assertIn("host_memory", runs, done.stderr)
        begin_of_disk, begin = (datetime.datetime.fromisoformat(runs[check]["started"].replace("Z", "+00:00"))
                                for check in ("disk_io", "host_memory"))
        self.assertLess(begin, begin_of_disk + datetime.timedelta(seconds=runs["disk_io"]["duration_seconds"]))

    def test_what_prepares_has_its_turn_when_the_others_have_ended(self):
        made = Installation(self.folder / "installation")
        steps = self.folder / "steps"
        made.script("first", f"sleep 1; echo first >> {steps}", resources=["memory"])
        made.script("second", f"echo second prepares >> {steps}; flock --shared $turn true; echo second >> {steps}",
                    resources=["cpu", "memory"], seconds=0.2, prepares=True)
        made.script("third", f"echo third >> {steps}", resources=["memory"], seconds=0.3)
        made.start("--even-if-in-use", folder=self.folder).ended()
        said = steps.read_text().splitlines()
        self.assertEqual(said[:3], ["second prepares", "first", "second"])
        self.assertEqual(said[3:], ["third"], "it did not wait for the second")

    def test_what_prepares_leaves_the_cpus_to_what_measures_them(self):
        made = Installation(self.folder / "installation")
        steps = self.folder / "steps"
        made.script("first", f"sleep 0.5; echo first >> {steps}", resources=["cpu"])
        made.script("second", f"echo second ${{turn:-at once}} >> {steps}", resources=["cpu"], seconds=0.2, prepares=True)
        made.start("--even-if-in-use", folder=self.folder).ended()
        self.assertEqual(steps.read_text().splitlines(), ["first", "second at once"])

    def test_it_measures_when_its_turn_comes_and_its_wait_is_no_time_of_its_own(self):
        other = Preparing(self.folder)
        time.sleep(4)
        self.assertIsNone(other.process.poll())
        start = time.monotonic()
        fcntl.flock(other.lock, fcntl.LOCK_UN)
        self.assertIn(other.process.wait(timeout=120), (0, 3))
        run = report(self.folder, "memory.json")["checks"][0]
        self.assertIn("host_memory.wrong_elements", [fact["metric"] for fact in run["measurements"]])
        self.assertLess(run["duration_seconds"], time.monotonic() - start + 4)
        other.lock.close()


if __name__ == "__main__":
    unittest.main()
