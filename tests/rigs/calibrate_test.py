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
    def test_three_healthy_runs_make_a_profile_that_this_machine_passes(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        names = []
        for number in range(3):
            names.append(f"{number}.json")
            node("--only", "host_memory", "--profile", "generic", "--report", names[-1], folder=folder)
        made = muster("calibrate", *names, "--name", "here", "--output", "here.json", folder=folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        run = node("--only", "host_memory", "--profile", "here.json", folder=folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        bandwidths = [verdict for check in report(folder)["checks"] for verdict in check["verdicts"]
                      if verdict["metric"] == "host_memory.bandwidth" and verdict["status"] == "pass"]
        self.assertGreaterEqual(len(bandwidths), 4, run.stderr)


if __name__ == "__main__":
    unittest.main()
