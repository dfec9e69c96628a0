# SPDX-License-Identifier: Apache-2.0
"""`muster calibrate` on this machine, whose rates count: nothing else may run."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import calibrated, node, report  # noqa: E402


class Calibrate(unittest.TestCase):
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
        names = ["1.json", "2.json", "3.json"]

        def measure(name):
            node("--only", "host_memory", "--profile", "generic", "--report", name, folder=folder)

        for name in names:
            measure(name)
        made = calibrated(names, "--name", "here", "--output", "here.json", folder=folder, again=measure)
        self.assertEqual(made.returncode, 0, made.stderr)
        run, verdicts = self.judged(folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreaterEqual(verdicts.count("pass"), 4, run.stderr)


if __name__ == "__main__":
    unittest.main()
