# SPDX-License-Identifier: Apache-2.0
"""`muster calibrate` on this machine, whose rates count: nothing else may run."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import muster, node, report  # noqa: E402


class Calibrate(unittest.TestCase):
    def measured(self, folder, number):
        """The name of the report of one run, and the run's identifier."""
        name = f"{number}.json"
        node("--only", "host_memory", "--profile", "generic", "--report", name, folder=folder)
        return name, report(folder, name)["run_id"]

    def calibrated(self, folder):
        """`muster calibrate` of three runs. One that it calls too uncertain, as on a machine that others share, is
        measured again, as a user would."""
        runs = [self.measured(folder, number) for number in range(3)]
        for number in range(3, 20):
            made = muster("calibrate", *(name for name, _ in runs), "--name", "here", "--output", "here.json",
                          folder=folder)
            if "too wide for edges" not in made.stderr:
                break
            uncertain = [run for run in runs if f"run {run[1]} " in made.stderr]
            self.assertEqual((made.returncode, len(uncertain)), (2, 1), made.stderr)
            runs.remove(uncertain[0])
            runs.append(self.measured(folder, number))
        return made

    def judged(self, folder):
        """A run with the profile, and what it says of bandwidth; once more where that is too uncertain to judge."""
        for _ in range(17):
            run = node("--only", "host_memory", "--profile", "here.json", folder=folder)
            verdicts = [verdict["status"] for check in report(folder)["checks"] for verdict in check["verdicts"]
                        if verdict["metric"] == "host_memory.bandwidth"]
            if "reaches beyond the edge" not in run.stderr:
                break
        return run, verdicts

    def test_three_healthy_runs_make_a_profile_that_this_machine_passes(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        made = self.calibrated(folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        run, verdicts = self.judged(folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(verdicts.count("pass"), 4, run.stderr)


if __name__ == "__main__":
    unittest.main()
