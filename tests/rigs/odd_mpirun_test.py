# SPDX-License-Identifier: Apache-2.0
"""`muster launch` where mpirun does other than it was told: it leaves ranks unbound, or does not end. Each case has the healthy one
beside it, with the mpirun that is there."""
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from drawn import drawn  # noqa: E402
from job import running, wait_for  # noqa: E402
from muster import BIN, accused, expect_refused, forget_reports, muster, report, reports  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
JOB = ("host_allreduce", "-b", "4K", "-e", "64K", "-f", "16", "-n", "7")
REAL = shutil.which("mpirun")
CPUS = sorted(os.sched_getaffinity(0))[:2]
# mpirun binds to cores, so these must be two.
SIBLINGS = pathlib.Path(f"/sys/devices/system/cpu/cpu{CPUS[0]}/topology/thread_siblings_list")

# mpirun of Open MPI 5.0.11 does so with --oversubscribe and a rankfile.
LEAVES_UNBOUND = """
for word; do
  shift
  case $word in
    --map-by | --bind-to | --rankfile) drop=1 ;;
    *) [ "${drop:-}" ] || set -- "$@" "$word"; drop= ;;
  esac
done
exec REAL --bind-to none "$@"
"""
NEVER_ENDS = """
REAL "$@"
touch ended
exec sleep 60
"""
IGNORES_SIGTERM = "trap '' TERM\n" + NEVER_ENDS.replace("exec sleep 60", "while :; do sleep 60; done")

# It starts nothing: what it is told beyond its version is an order to start a job.
SAYS_VERSION = """
[ "$1" = --version ] || touch started
echo 'mpirun (Open MPI) VERSION'
"""


def two_gpus(cpus):
    """A topology file of a machine with a NUMA node of these CPUs and two GPUs beside them."""
    gpus = "".join(f'<pci busid="000{number}:00:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"/>'
                   for number in (1, 2))
    mask = f"{sum(1 << cpu for cpu in cpus):016x}"
    return (f'<system version="1"><cpu numaid="0" affinity="{mask[:8]},{mask[8:]}" arch="x86_64" vendor="GenuineIntel" '
            f'familyid="6" modelid="143">{gpus}</cpu></system>')


class OddMpirun(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name).resolve()
        (self.folder / "topo.xml").write_text(two_gpus(CPUS))

    def launch(self, *options, mpirun=None):
        """On this machine alone, with this script in place of mpirun."""
        environment = dict(os.environ)
        if mpirun:
            script = self.folder / "bin/mpirun"
            script.parent.mkdir(exist_ok=True)
            script.write_text("#!/bin/sh\n" + mpirun.replace("REAL", REAL))
            script.chmod(0o755)
            environment["PATH"] = f"{script.parent}:{environment['PATH']}"
        start = time.monotonic()
        run = muster("launch", "--profile", "generic", *options, *JOB, folder=self.folder, env=environment)
        return run, time.monotonic() - start

    def misplaced(self):
        return {fact["labels"]["rank"]: fact["value"] for fact in report(self.folder)["checks"][0]["measurements"]
                if fact["metric"] == "host_allreduce.misplaced_rank"}

    @unittest.skipUnless(len(CPUS) == 2 and SIBLINGS.read_text().strip() == str(CPUS[0]), "needs two cores of one thread")
    def test_ranks_that_mpirun_leaves_unbound_are_named(self):
        run, _ = self.launch("--topology", "topo.xml")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(self.misplaced(), {})
        self.assertEqual(accused(report(self.folder)), set())
        run, _ = self.launch("--topology", "topo.xml", mpirun=LEAVES_UNBOUND)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        free = ",".join(map(str, CPUS)) if CPUS[1] > CPUS[0] + 1 else f"{CPUS[0]}-{CPUS[1]}"
        if len(os.sched_getaffinity(0)) == 2:
            self.assertEqual(self.misplaced(), {str(rank): f"{free} instead of {cpu}" for rank, cpu in enumerate(CPUS)})
        host = report(self.folder)["hosts"][0]["name"]
        self.assertEqual(accused(report(self.folder), "host", "rank"), {("rank_misplaced", host, "0"), ("rank_misplaced", host, "1")})
        self.assertIn("WARN: ", run.stdout)

    @unittest.skipUnless(len(CPUS) == 2, "needs two CPUs")
    def test_nobody_asks_for_seats_without_a_topology(self):
        run, _ = self.launch(mpirun=LEAVES_UNBOUND)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(self.misplaced(), {})

    def expect_nothing_left(self):
        def gone():
            """no process of the job that is left"""
            return not running(self.folder)

        wait_for(gone, 5)

    @beside.alone
    def test_an_mpirun_that_does_not_end_delays_nothing_once_the_report_is_there(self):
        run, healthy = self.launch()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        for script, most in drawn(1, [(NEVER_ENDS, 2), (IGNORES_SIGTERM, 3)]):
            with self.subTest(script=script):
                run, seconds = self.launch("--deadline", 40, mpirun=script)
                self.assertTrue((self.folder / "ended").exists())
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertEqual(report(self.folder)["checks"][0]["outcome"], "finished")
                self.assertLess(seconds, healthy + most + 2)  # to start and stop programs on a busy machine
                self.expect_nothing_left()
                (self.folder / "ended").unlink()

    def test_an_mpirun_that_does_not_end_and_brings_no_report_meets_the_deadline(self):
        run, _ = self.launch("--deadline", 4, mpirun="exec sleep 60\n")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual(report(self.folder)["checks"][0]["outcome"], "timed_out")
        self.expect_nothing_left()

    def test_names_with_odd_letters_are_hosts_for_open_mpi_5_alone(self):
        (self.folder / "hosts").write_text("fd77:0:0:99::1 slots=1\nfd77:0:0:99::2 slots=1\n")
        for hosts in drawn(1, [("--hosts", "fd77:0:0:99::1,fd77:0:0:99::2"), ("--hostfile", "hosts"),
                               ("--hosts", "h1,ann@fd77:0:0:99::2"), ("--hosts", "no_where_1,no_where_2")]):
            with self.subTest(hosts=hosts):
                run, _ = self.launch("--wait", 1, *hosts, mpirun=SAYS_VERSION.replace("VERSION", "4.1.4"))
                expect_refused(self, run, "mpirun of Open MPI 4.1.4 does not take", "give a name", "or use Open MPI 5")
                self.assertEqual(reports(self.folder), [])
                run, _ = self.launch("--wait", 1, *hosts, mpirun=SAYS_VERSION.replace("VERSION", "5.0.11"))
                self.assertEqual(run.returncode, 3, run.stdout + run.stderr)  # nobody answers there
                self.assertIn("hosts did not answer", report(self.folder)["checks"][0]["reason"])
                forget_reports(self.folder)
                self.assertFalse((self.folder / "started").exists())


if __name__ == "__main__":
    if not PROGRAM.exists() or REAL is None:
        print("skipped: built without Open MPI")
        sys.exit(77)
    beside.main(2)
