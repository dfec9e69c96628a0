# SPDX-License-Identifier: Apache-2.0
"""What prepares gives way to all others, and measures when its turn has come."""
import datetime
import fcntl
import os
import pathlib
import sys
import tempfile
import time
import unittest

sys.path[:0] = [os.path.dirname(__file__), os.path.join(os.environ["MUSTER_SOURCE"], "tests/support")]
from drawn import IS_WHOLE  # noqa: E402
from installed import Installation  # noqa: E402
from muster import BIN, node, report  # noqa: E402
from preparing import Preparing  # noqa: E402

CAP_SYS_NICE = 23  # of linux/capability.h


def may_take_precedence():
    status = dict(line.split(":", 1) for line in pathlib.Path("/proc/self/status").read_text().splitlines())
    return int(status["CapEff"], 16) >> CAP_SYS_NICE & 1


class SideBySide(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=BIN)
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def test_what_places_memory_runs_only_where_nothing_else_wants_to(self):
        if not may_take_precedence():
            raise unittest.SkipTest("without the capability SYS_NICE memory is placed when its turn has come")
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

    @unittest.skipUnless(IS_WHOLE, "what measures here is played in ./muster test")
    def test_a_node_lets_it_prepare_while_a_disk_is_measured(self):
        patient = ("--timeout", 120)  # other tests keep the cores, too
        done = node("--only", "disk_io,host_memory", "--profile", "generic", *patient, folder=self.folder)
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
        other = Preparing(self.folder, "--bytes-per-array", "64M")  # of which a busy machine places some in time
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
