# SPDX-License-Identifier: Apache-2.0
"""Jobs that measure over the nodes of a Slurm without an ssh server, by healthcheck/deploy/slurm/job.sh and by hand: mpirun, whose
daemons srun starts, and `srun --mpi=pmix`. What fails is told, and the right node is named."""
import os
import pathlib
import signal
import subprocess
import sys
import unittest

sys.path[:0] = (os.path.join(os.environ["MUSTER_SOURCE"], "tests", folder) for folder in ("support", "cluster"))
from batch_system import NODES, PLACE, command, until  # noqa: E402
from launches import ENVIRONMENT, JOB, PROGRAM  # noqa: E402
from muster import BIN, accused, report  # noqa: E402
from slurm import SCRIPTS, InSlurm, on, process, start_node, start_slurm  # noqa: E402

HERE = pathlib.Path(__file__).resolve()
LONG = (*JOB[:-1], "1000000", "--timeout", "100")
OWN = ("--profile", "generic")  # stands before the check for muster launch, and behind it for the check
WAYS = {"mpirun": (None, (*OWN, *JOB)), "srun": ("pmix", (*JOB, *OWN))}
LONG_WAYS = {"mpirun": (None, (*OWN, *LONG)), "srun": ("pmix", (*LONG, *OWN))}


class SlurmJobs(InSlurm):
    def setUp(self):
        super().setUp()
        self.folder = PLACE / self._testMethodName
        self.folder.mkdir()
        self.assertIsNone(process("sshd"))

    def begin(self, words, mpi=None, options=("--ntasks-per-node", "1")):
        """The number of a job of job.sh on all nodes."""
        return subprocess.run(["sbatch", "--parsable", "--nodes", "3", *options, SCRIPTS / "job.sh", *words], cwd=self.folder,
                              env=ENVIRONMENT | ({"MUSTER_MPI": mpi} if mpi else {}), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def end(self, number):
        """Exit code, words, and report of a job that ends; no report is None."""
        self.await_end(number)
        words = (self.folder / f"muster-{number}.txt").read_text()
        file = self.folder / f"muster-{number}.json"
        return int(self.job(number, "ExitCode").split(":")[0]), words, report(self.folder, file.name) if file.exists() else None

    def run_here(self, *words, **more):
        return self.end(self.begin(*words, **more))

    def facts(self, document):
        return {fact["metric"].split(".")[1]: fact["value"] for fact in document["checks"][0]["measurements"]}

    def expect_healthy(self, code, words, document, ranks):
        self.assertEqual(code, 0, words)
        self.assertEqual(document["status"], "pass")
        self.assertEqual(sorted(host["name"] for host in document["hosts"]), list(NODES))
        self.assertEqual(self.facts(document)["ranks"]["value"], ranks)

    def hide(self, node, path):
        """On this node there is nothing in this folder, or nothing that this program could be."""
        nothing = PLACE / "nothing"
        nothing.mkdir(exist_ok=True)
        on(node, "mount", "--bind", nothing if path.is_dir() else "/dev/null", path)
        self.addCleanup(on, node, "umount", "--lazy", path)

    def rank_on(self, node):
        """The process of a rank there that has measured for a while."""
        mark = f"SLURMD_NODENAME={node}".encode()

        def found():
            for folder in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    is_rank = (folder / "exe").readlink() == PROGRAM and mark in (folder / "environ").read_bytes().split(b"\0")
                    ticks = sum(map(int, (folder / "stat").read_text().rpartition(")")[2].split()[11:13]))
                except OSError:
                    continue
                if is_rank and ticks > os.sysconf("SC_CLK_TCK") / 2:
                    return int(folder.name)
            return None

        return until(found, f"no rank measures on {node}")

    def test_both_ways_measure_over_all_nodes(self):
        for way, (mpi, words) in WAYS.items():
            with self.subTest(way):
                self.expect_healthy(*self.run_here(words, mpi), 3)

    def test_ranks_are_the_tasks_that_the_job_asks_for(self):
        self.expect_healthy(*self.run_here((*OWN, *JOB), options=("--ntasks-per-node", "2")), 6)
        self.expect_healthy(*self.run_here((*OWN, *JOB), options=()), 3)  # Slurm counts two CPUs of each node
        self.expect_healthy(*self.run_here(("--ranks-on-each", "2", *OWN, *JOB), options=("--ntasks", "5")), 6)
        code, words, document = self.run_here((*OWN, *JOB), options=("--ntasks", "5"))
        self.assertEqual((code, document), (2, None), words)
        self.assertIn("SLURM_TASKS_PER_NODE is '2(x2),1': node3 has 1 where node1 has 2", words)

    def test_from_outside_of_the_nodes_and_from_a_step_it_reaches_all(self):
        for before in ((), ("srun", "--nodes", "1", "--ntasks", "1")):
            with self.subTest(before):
                run = self.allocated(*before, BIN / "muster", "launch", *OWN, *JOB)
                self.expect_healthy(run.returncode, run.stdout + run.stderr, report(self.folder), 3)

    def allocated(self, *words):
        return subprocess.run(["salloc", "--quiet", "--nodes", "3", "--ntasks-per-node", "1", *words], cwd=self.folder,
                              env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120)

    def test_ranks_that_srun_starts_without_pmix_are_no_job(self):
        run = self.allocated("srun", "--mpi=none", PROGRAM, *JOB[1:], *OWN)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual(run.stdout.count("UNKNOWN: "), 1, run.stdout)
        self.assertNotIn("MPI_Init", run.stdout + run.stderr)
        reason = report(self.folder)["checks"][0]["reason"]
        self.assertTrue(reason.startswith("srun started 3 ranks (SLURM_STEP_NUM_TASKS=3), but Open MPI v"), reason)
        self.assertTrue(reason.endswith("or with srun --mpi=pmix"), reason)

    def expect_accused(self, document, fault, node):
        """That node alone."""
        self.assertEqual(document["status"], "unknown")
        self.assertEqual({host for code, host in accused(document, "host") if code == fault}, {node})

    def test_a_node_without_muster_is_named(self):
        self.hide("node2", BIN)
        code, words, document = self.run_here((*OWN, *JOB))
        self.assertEqual(code, 3, words)
        self.expect_accused(document, "launch_failed", "node2")
        self.assertIn("the check is not installed, or cannot be executed on node2", document["checks"][0]["reason"])
        code, words, document = self.run_here((*JOB, *OWN), "pmix")
        self.assertEqual((code, document), (3, None), words)
        self.assertIn("srun: error: node2: task 1: Exited with exit code 2", words)
        self.assertIn("no report has come", words)

    def test_a_node_without_the_daemon_of_mpirun_is_named(self):
        self.hide("node2", pathlib.Path("/usr/bin/orted"))
        code, words, document = self.run_here((*OWN, *JOB))
        self.assertEqual(code, 3, words)
        self.expect_accused(document, "launch_failed", "node2")
        self.assertIn("mpirun's daemon cannot be executed on node2", document["checks"][0]["reason"])

    def test_a_rank_that_is_killed_is_named(self):
        for way, (mpi, words) in LONG_WAYS.items():
            with self.subTest(way):
                job = self.begin(words, mpi)
                os.kill(self.rank_on("node2"), signal.SIGKILL)
                code, said, document = self.end(job)
                self.assertEqual(code, 3, said)
                self.expect_accused(document, "rank_lost", "node2")

    def test_a_node_that_slurm_does_not_reach_is_named(self):
        number = int(process("slurmd", "node2"))
        self.addCleanup(start_node, "node2")
        run = self.allocated("sh", "-c", f'kill -9 {number}; exec "$0" "$@"', BIN / "muster", "launch", "--deadline", "40", *OWN, *JOB)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.expect_accused(report(self.folder), "launch_failed", "node2")
        self.assertIn("Slurm cannot start a program on node2", report(self.folder)["checks"][0]["reason"])


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("skipped: built without Open MPI")
        sys.exit(77)
    if sys.argv[1:2] != ["--apart"]:
        packages = "munge slurmctld slurmd slurm-client openmpi-bin"
        os.execv(HERE.parent / "apart.sh", ["apart.sh", packages, sys.executable, "-B", HERE, "--apart", *sys.argv[1:]])
    start_slurm()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
