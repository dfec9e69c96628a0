# SPDX-License-Identifier: Apache-2.0
"""The prolog and epilog of healthcheck/deploy/slurm: who is drained, why, what becomes of the job, and what the fleet's report says."""
import os
import pathlib
import signal
import sys
import unittest

sys.path[:0] = (os.path.join(os.environ["MUSTER_SOURCE"], "tests", folder) for folder in ("support", "cluster"))
from batch_system import NODES, PLACE, command, start, until  # noqa: E402
from slurm import BAD, GOOD, SETTINGS, InSlurm, process, start_slurm  # noqa: E402

HERE = pathlib.Path(__file__).resolve()


class Slurm(InSlurm):
    def test_a_job_runs_on_healthy_nodes_and_the_fleet_passes(self):
        self.run_job("--nodes", "3", "--exclusive")
        self.assertEqual(self.drained(), {})
        self.assertEqual(self.left(), dict.fromkeys(NODES, "pass"))
        self.assertEqual(self.collect(), ("pass", dict.fromkeys(NODES, ("pass", "tested"))))

    def test_a_node_that_fails_before_a_job_is_drained_and_the_job_runs_elsewhere(self):
        self.demand("node2", BAD, GOOD)
        self.assertEqual(self.run_job("--nodes", "2", "--exclusive"), "node[1,3]")
        self.expect_drained("node2")
        self.assertEqual(self.left(), {"node1": "pass", "node2": "fail", "node3": "pass"})
        self.assertEqual(self.collect(), ("fail", {"node2": ("fail", "tested"), "node1": ("pass", "tested"), "node3": ("pass", "tested")}))

    def test_a_node_that_fails_after_a_job_is_drained_and_the_job_is_done(self):
        self.demand("node1", GOOD, BAD)
        self.assertEqual(self.run_job("--nodelist", "node1"), "node1")
        self.expect_drained("node1")
        self.assertEqual(self.left(), {"node1": "fail"})

    def test_a_node_that_somebody_drained_keeps_the_reason(self):
        self.demand("node1", GOOD, BAD)
        number = self.submit("sleep 1", "--nodelist", "node1")
        until(lambda: self.job(number, "JobState") == "RUNNING", "the job did not start")
        command("scontrol", "update", "nodename=node1", "state=drain", "reason=new memory")
        self.ended(number)
        self.assertEqual(self.drained(), {"node1": "new memory"})
        self.assertEqual(self.left(), {"node1": "fail"})

    def test_what_is_unknown_drains_only_where_it_is_to(self):
        """What hinders muster, and what is said of it."""
        for settings, said in ((f'MUSTER_BIN="{PLACE}"', "there is no muster"),
                               ('MUSTER_PROLOG_OPTIONS="--profile nowhere"', "nowhere"),
                               ('MUSTER_PROLOG_OPTIONS="--only topology"', "SKIP: ")):
            for drains in (False, True):
                with self.subTest(said, drains=drains):
                    self.set(f"{SETTINGS}{settings}\nMUSTER_DRAIN_UNKNOWN={drains:d}\n")
                    number = self.submit("hostname", "--nodelist", "node1")
                    if drains:
                        until(self.drained, "the node was not drained")
                        self.expect_drained("node1", said)
                        self.set(SETTINGS)
                    else:
                        self.ended(number)
                        self.assertEqual(self.drained(), {})
                    self.assertIn(said, self.said())
                    self.resume()

    def test_a_muster_that_hangs_is_stopped(self):
        self.set(SETTINGS + 'MUSTER_PROLOG_OPTIONS="--only cpu --even-if-in-use"\nMUSTER_SECONDS=3\n')
        number = self.submit("hostname", "--nodelist", "node1")
        os.kill(until(lambda: process("muster"), "no muster was started"), signal.SIGSTOP)
        self.ended(number)
        self.assertEqual(self.drained(), {})
        self.assertIn("muster was stopped after 13 s", self.said())

    def test_an_unfit_node_is_drained_without_the_shared_folder(self):
        self.set(SETTINGS + 'MUSTER_REPORTS="/nowhere"\n')
        self.demand("node2", BAD, GOOD)
        self.assertEqual(self.run_job("--nodes", "2", "--exclusive"), "node[1,3]")
        self.expect_drained("node2")
        self.assertIn("it could not be left in '/nowhere'", self.said())

    def test_jobs_that_share_a_node_wait_for_each_other(self):
        numbers = [self.submit("hostname", "--nodelist", "node1") for _ in range(8)]
        for number in numbers:
            self.ended(number)
        self.assertEqual((self.drained(), self.left(), self.said()), ({}, {"node1": "pass"}, ""))

    def test_a_job_starts_where_others_keep_the_test_from_its_node(self):
        """Another prolog or epilog that does not end, and a muster that was started by somebody else."""
        self.set(SETTINGS + "MUSTER_SECONDS=1\n")
        slurmd = str(process("slurmd", "node1"))
        for lock, said in (("/var/lib/muster/slurm.lock", "another prolog or epilog"), ("/run/lock/muster.lock", "another muster")):
            with self.subTest(lock):
                holder = start("holder", "nsenter", "--target", slurmd, "--mount", "flock", lock, "sleep", "600")
                until(lambda: process("sleep", "600"), "the lock was not taken")
                self.run_job("--nodelist", "node1")
                os.kill(process("sleep", "600"), signal.SIGKILL)
                holder.wait()
                self.assertEqual(self.drained(), {})
                self.assertIn(said, self.said())


if __name__ == "__main__":
    if sys.argv[1:2] != ["--apart"]:
        os.execv(HERE.parent / "apart.sh", ["apart.sh", "munge slurmctld slurmd slurm-client", sys.executable, "-B", HERE, "--apart", *sys.argv[1:]])
    start_slurm()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
