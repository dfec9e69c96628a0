# SPDX-License-Identifier: Apache-2.0
"""A job over four hosts: healthy it accuses nobody; a late rank and one that dies are named."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from drawn import IS_WHOLE  # noqa: E402
from host_jobs import PROGRAM, HostJobs  # noqa: E402
from hosts import possible  # noqa: E402
from muster import report  # noqa: E402


class OneRankOnEach(HostJobs):
    def test_healthy_hosts_are_not_accused(self):
        for _ in range(20 if IS_WHOLE else 3):
            self.expect_healthy()
        traffic = {fact["labels"]["host"]: fact["value"]["value"] for fact in report(self.folder)["checks"][0]["measurements"]
                   if fact["metric"] == "host_allreduce.nic_traffic"}
        self.assertEqual(sorted(traffic), self.hosts.names)
        for host, multiple in traffic.items():
            self.assertTrue(1 <= multiple < 3, f"{host}: {multiple}")  # Open MPI's own algorithms send 1.5 to 2 times S

    def test_a_rank_that_dies_is_named_by_its_host(self):
        run, found = self.job(environment={"LD_PRELOAD": self.faults, "MUSTER_FAULT": "dies", "MUSTER_FAULT_RANK": "2"})
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(("rank_lost", "h3"), found)
        self.assertIn("rank 2 on h3 died", run.stdout)

    def test_a_late_rank_is_named(self):
        def check():
            run, found = self.job(environment={"LD_PRELOAD": self.faults, "MUSTER_FAULT": "very_late", "MUSTER_FAULT_RANK": "2"})
            self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
            self.assertIn(("host_allreduce_late_rank", "h3"), found)
            self.assertNotIn("host_allreduce_slow_path", {fault for fault, _ in found})

        self.told(check)


if __name__ == "__main__":
    if not (PROGRAM.exists() and possible()):
        print("skipped: needs Open MPI, and the right to make network namespaces")
        sys.exit(77)
    unittest.main()
