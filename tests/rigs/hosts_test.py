# SPDX-License-Identifier: Apache-2.0
"""A job over four hosts: healthy it accuses nobody; a slow link and a late rank are named."""
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from hosts import Hosts, possible  # noqa: E402
from muster import BIN, accused, calibrated, report  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
FAULTS = BIN.parent / "tests/libmpi_faults.so"
JOB = ("-b", "4K", "-e", "256K", "-f", "64", "--in-place")


class Jobs(unittest.TestCase):
    """Over four hosts, with a profile that was calibrated on them."""
    RANKS = 1  # on each

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.faults = shutil.copy(FAULTS, cls.folder)  # LD_PRELOAD takes no path with a space
        cls.hosts = Hosts(4, cls.folder)
        cls.addClassCleanup(cls.hosts.close)
        names = [f"healthy{number}.json" for number in range(3)]
        for name in names:
            cls.measure(name)
        # More ranks than cores: the medians of healthy runs lie between 0.6 and 1.6 of their own median.
        made = calibrated(names, "--name", "here", "--pass", 0.45, "--fail", 0.3, "--output", "here.json", folder=cls.folder,
                          again=cls.measure)
        assert made.returncode == 0, made.stderr

    @classmethod
    def measure(cls, name):
        run = cls.hosts.mpirun(PROGRAM, *JOB, "-n", 40, "--report", name, folder=cls.folder, on_each=cls.RANKS)
        assert run.returncode == 0, run.stderr

    def job(self, **options):
        """The run, and what it accuses: fault code and host of every verdict that is no pass."""
        run = self.hosts.mpirun(PROGRAM, *JOB, "--profile", "./here.json", folder=self.folder, on_each=self.RANKS, **options)
        document = report(self.folder)
        self.assertEqual(sorted(host["name"] for host in document["hosts"]), self.hosts.names)
        return run, accused(document, "host")

    def seen(self, run):
        """What it said, and the rates of its pairs."""
        facts = [fact for fact in report(self.folder)["checks"][0]["measurements"]
                 if fact["metric"] == "host_allreduce.pair_bandwidth"]
        return "\n".join([run.stderr, *(f"{fact['labels']}: {fact['value']}" for fact in facts)])

    def expect_slow_link(self, name, direction):
        self.hosts.slow(name, direction, "200mbit")
        try:
            run, found = self.job()
        finally:
            self.hosts.heal(name)
        self.assertEqual(run.returncode, 1, self.seen(run))
        self.assertIn(("slower_than_calibrated", " ".join(self.hosts.names)), found)
        named = {host for fault, host in found if fault != "slower_than_calibrated"}
        self.assertEqual(named, {name}, self.seen(run))


class OneRankOnEach(Jobs):
    def test_healthy_hosts_are_not_accused(self):
        for _ in range(20):
            run, found = self.job()
            self.assertEqual((run.returncode, found), (0, set()), run.stderr)
        traffic = {fact["labels"]["host"]: fact["value"]["value"] for fact in report(self.folder)["checks"][0]["measurements"]
                   if fact["metric"] == "host_allreduce.nic_traffic"}
        self.assertEqual(sorted(traffic), self.hosts.names)
        for host, multiple in traffic.items():
            self.assertTrue(1 <= multiple < 3, f"{host}: {multiple}")  # Open MPI's own algorithms send 1.5 to 2 times S

    def test_a_slow_link_is_named_by_its_host(self):
        for name in self.hosts.names:
            for direction in ("egress", "ingress"):
                with self.subTest(host=name, direction=direction):
                    self.expect_slow_link(name, direction)

    def test_a_rank_that_dies_is_named_by_its_host(self):
        run, found = self.job(environment={"LD_PRELOAD": self.faults, "MUSTER_FAULT": "dies", "MUSTER_FAULT_RANK": "2"})
        self.assertNotEqual(run.returncode, 0)
        self.assertIn(("rank_lost", "h3"), found)
        self.assertIn("rank 2 on h3 died", run.stderr)

    def test_a_late_rank_is_named(self):
        run, found = self.job(environment={"LD_PRELOAD": self.faults, "MUSTER_FAULT": "very_late", "MUSTER_FAULT_RANK": "2"})
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(("host_allreduce_late_rank", "h3"), found)
        self.assertNotIn("host_allreduce_slow_path", {fault for fault, _ in found})


class TwoRanksOnEach(Jobs):
    RANKS = 2

    def test_healthy_hosts_are_not_accused_and_a_slow_link_is_named_by_its_host(self):
        run, found = self.job()
        self.assertEqual((run.returncode, found), (0, set()), run.stderr)
        self.expect_slow_link("h3", "egress")


if __name__ == "__main__":
    if not (PROGRAM.exists() and possible()):
        print("skipped: needs Open MPI, and the right to make network namespaces")
        sys.exit(77)
    unittest.main()
