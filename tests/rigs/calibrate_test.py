# SPDX-License-Identifier: Apache-2.0
"""`muster calibrate` on this machine: what it makes of healthy runs is a profile that the next run passes, in any folder, and that
a slower machine fails."""
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from drawn import IS_WHOLE  # noqa: E402
from muster import STEADY_MEMORY, muster, node, report  # noqa: E402

NAMES = ("1.json", "2.json", "3.json")
BANDWIDTH = "host_memory.bandwidth"


def verdicts(document):
    """Of the bandwidth of memory, by what expects something of it here."""
    return [verdict["status"] for check in document["checks"] for verdict in check["verdicts"]
            if verdict["metric"] == BANDWIDTH and verdict["status"] != "skip"]


class Calibrate(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.elsewhere = self.folder / "elsewhere"
        self.elsewhere.mkdir()

    def made(self):
        """The profile of three healthy runs; of three others where nothing in these was certain enough."""
        for pause in range(10):
            for name in NAMES:
                muster(*STEADY_MEMORY, "--profile", "generic", "--report", name, folder=self.folder)
            made = muster("calibrate", *NAMES, "--name", "here", "--output", "here.json", folder=self.folder)
            if made.returncode == 0:
                return json.loads((self.folder / "here.json").read_text()), made.stderr
            self.assertIn("certain enough", made.stderr)
            time.sleep(pause / 5)
        self.fail(f"this machine is too noisy to calibrate: {made.stderr}")

    def verdicts_of(self, run):
        """Of a run in the other folder, which leaves its report there."""
        document = report(self.elsewhere)
        self.assertEqual(document["profile"]["name"], "here", run.stderr)
        return verdicts(document)

    def test_three_healthy_runs_make_a_profile_that_this_machine_passes_and_a_slower_one_fails(self):
        for pause in range(5):
            profile, left_out = self.made()
            kept = [wanted for wanted in profile["expectations"] if wanted["metric"] == BANDWIDTH]
            self.assertEqual(len(kept) + left_out.count(f"  {BANDWIDTH} of "), 4, left_out)
            alone = muster(*STEADY_MEMORY, "--profile", "../here.json", folder=self.elsewhere)
            judged = self.verdicts_of(alone)
            of_node = node("--only", "host_memory", "--profile", "../here.json", folder=self.elsewhere) if IS_WHOLE else None
            judged_by_node = self.verdicts_of(of_node) if of_node else []
            if set(judged) == {"pass"} and "fail" not in judged_by_node:
                break
            time.sleep(pause)  # it was slower than in all three runs: that may be the machine's noise, and not five times
            (self.folder / "here.json").unlink()
        self.assertEqual(alone.returncode, 0, alone.stdout + alone.stderr)
        self.assertEqual(judged, ["pass"] * len(judged), alone.stdout)
        self.assertGreaterEqual(len(judged), len(kept))
        if of_node:
            self.assertGreaterEqual(len(judged_by_node), len(kept))
            self.assertNotIn("fail", judged_by_node, of_node.stdout)  # of fewer samples, so that some may be too uncertain

        slow = json.loads((self.folder / "1.json").read_text())
        for fact in slow["checks"][0]["measurements"]:
            if fact["metric"] == BANDWIDTH:
                fact["value"]["value"] /= 2
                fact["summary"] = halved(fact["summary"])
                fact["stopping"] = {key: value for key, value in fact["stopping"].items() if not key.endswith("_edge")}
        for verdict in slow["checks"][0]["verdicts"]:
            if verdict["metric"] == BANDWIDTH and "value" in verdict:
                verdict["value"]["value"] /= 2
        (self.folder / "slow.json").write_text(json.dumps(slow))
        run = muster("judge", "slow.json", "--profile", "./here.json", "--report", "judged.json", folder=self.folder)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual(verdicts(report(self.folder, "judged.json")).count("fail"), len(kept))


def halved(summary):
    """Every number of a summary in the unit of the measurement; the count and the spread, which is a share, stay."""
    low, high = summary["median_interval"]["low"], summary["median_interval"]["high"]
    halves = {key: value / 2 for key, value in summary.items() if key not in ("n", "spread", "median_interval")}
    return summary | halves | {"median_interval": {"low": low / 2, "high": high / 2}}


if __name__ == "__main__":
    unittest.main()
