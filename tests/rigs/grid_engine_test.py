# SPDX-License-Identifier: Apache-2.0
"""`muster launch` in jobs of a real Grid Engine, without a list of hosts: it reaches all hosts of the job, or names what is wrong."""
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

sys.path[:0] = (os.path.join(os.environ["MUSTER_SOURCE"], "tests", folder) for folder in ("support", "cluster"))
import open_mpi_5  # noqa: E402
from batch_system import NODES, PLACE  # noqa: E402
from grid_engine import KEYS, PACKAGES, start_grid_engine, start_worker, stop_worker  # noqa: E402
from launches import ENVIRONMENT, JOB, PROGRAM  # noqa: E402
from muster import BIN, accused, forget_reports, report, reports  # noqa: E402

HERE = pathlib.Path(__file__).resolve()


class Jobs:
    """Of a parallel environment of one slot on each node ("one"), of two, or of nodes that are filled one after the other."""

    def setUp(self):
        self.folder = PLACE / f"{type(self).__name__}.{self._testMethodName}"
        self.folder.mkdir()
        self.environment = dict(ENVIRONMENT)

    def run_job(self, slots, *options):
        """The exit code of a job that asks for these slots, which is that of `muster launch`, its words, and its report."""
        job, words = (self.folder / name for name in ("job.sh", "words.txt"))
        exports = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in self.environment.items())  # qsub brings not all
        job.write_text(f"{exports}[ -z \"$PE_HOSTFILE\" ] || cp \"$PE_HOSTFILE\" hosts.txt\nexec {BIN}/muster launch --keys {KEYS} {' '.join((*options, '--profile', 'generic', *JOB))}\n")
        words.unlink(missing_ok=True)
        forget_reports(self.folder)
        run = subprocess.run(["qsub", "-sync", "y", "-cwd", "-j", "y", "-o", words, *slots, job], cwd=self.folder,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertTrue(words.exists(), run.stdout + run.stderr)
        return run.returncode, words.read_text(), report(self.folder) if reports(self.folder) else None

    def expect_healthy(self, ran, hosts, ranks):
        code, words, document = ran
        self.assertEqual(code, 0, words)
        self.assertEqual(document["status"], "pass", words)
        self.assertEqual(sorted(host["name"] for host in document["hosts"]), list(hosts))
        facts = {fact["metric"]: fact["value"] for fact in document["checks"][0]["measurements"]}
        self.assertEqual(facts["host_allreduce.ranks"]["value"], ranks)
        self.assertIn(f"hosts: {len(hosts)} of PE_HOSTFILE ", words)

    def test_a_job_reaches_all_its_hosts_with_a_rank_for_each_slot(self):
        self.expect_healthy(self.run_job(("-pe", "one", "3")), NODES, 3)
        self.expect_healthy(self.run_job(("-pe", "two", "6")), NODES, 6)

    def test_a_host_that_is_not_reached_is_named(self):
        stop_worker("node2")
        self.addCleanup(start_worker, "node2")
        code, words, document = self.run_job(("-pe", "one", "3"), "--wait", "2")
        self.assertEqual(code, 3, words)
        self.assertEqual({host for fault, host in accused(document, "host") if fault == "host_absent"}, {"node2"})


class GridEngine(Jobs, unittest.TestCase):
    def test_hosts_with_different_numbers_of_slots_are_refused_or_get_as_many_ranks(self):
        six = ("-pe", "filled", "6")
        code, words, document = self.run_job(six)
        self.assertEqual((code, document), (2, None), words)
        self.assertRegex(words, "pe_hostfile, line 2: node[1-3] has 2 slots where others have 4; .* --ranks-on-each")
        ran = self.run_job(six, "--ranks-on-each", "2")
        hosts = sorted(line.split()[0] for line in (self.folder / "hosts.txt").read_text().splitlines())
        self.assertEqual(len(hosts), 2)
        self.expect_healthy(ran, hosts, 4)

    def test_a_job_without_a_parallel_environment_says_that_it_measures_one_machine(self):
        code, words, _ = self.run_job(())
        self.assertEqual(code, 0, words)
        self.assertIn("hosts: 1 of this machine alone", words)


class GridEngineWithOpenMpi5(open_mpi_5.ByOpenMpi5, Jobs, unittest.TestCase):
    """Whose mpirun reads the list of Grid Engine by rules of its own."""


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("skipped: built without Open MPI")
        sys.exit(77)
    if sys.argv[1:2] != ["--apart"]:
        with open_mpi_5.installed_for(GridEngineWithOpenMpi5):
            words = ["--apart", GridEngineWithOpenMpi5.prefix or "", *sys.argv[1:]]
            sys.exit(subprocess.run([HERE.parent / "apart.sh", PACKAGES, sys.executable, "-B", HERE, *words], check=False).returncode)
    GridEngineWithOpenMpi5.prefix = sys.argv[2]
    start_grid_engine()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
