# SPDX-License-Identifier: Apache-2.0
"""`muster calibrate` on this machine: what it makes of healthy runs is a profile that the next run passes."""
import os
import pathlib
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import STEADY_MEMORY, calibrated, muster, node, report  # noqa: E402


class Calibrate(unittest.TestCase):
    def verdicts(self, folder):
        """Of the bandwidth of memory."""
        return [verdict["status"] for check in report(folder)["checks"] for verdict in check["verdicts"]
                if verdict["metric"] == "host_memory.bandwidth"]

    def judged(self, folder):
        """A run with the profile, and what it says of bandwidth; once more where that is too uncertain to judge."""
        for pause in range(10):
            run = muster(*STEADY_MEMORY, "--profile", "./here.json", folder=folder)
            if "reaches beyond the edge" not in run.stderr:
                return run, self.verdicts(folder)
            time.sleep(pause / 5)
        self.fail(f"this machine is too noisy to judge: {run.stderr}")

    def test_three_healthy_runs_make_a_profile_that_this_machine_passes(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        names = ["1.json", "2.json", "3.json"]

        def measure(name):
            muster(*STEADY_MEMORY, "--profile", "generic", "--report", name, folder=folder)

        for name in names:
            measure(name)
        made = calibrated(names, "--name", "here", "--output", "here.json", folder=folder, again=measure)
        self.assertEqual(made.returncode, 0, made.stderr)
        run, verdicts = self.judged(folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(verdicts.count("pass"), 4, run.stderr)
        run = node("--only", "host_memory", "--profile", "here.json", folder=folder)
        self.assertEqual(report(folder)["profile"]["name"], "here", run.stderr)
        verdicts = self.verdicts(folder)  # of fewer samples, so that some may be too uncertain
        self.assertGreaterEqual(len(verdicts), 4, run.stderr)
        self.assertNotIn("fail", verdicts, run.stderr)


if __name__ == "__main__":
    unittest.main()
