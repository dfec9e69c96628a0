# SPDX-License-Identifier: Apache-2.0
"""Launchers that muster's MPI does not know: each rank is then a job of its own, of which one says so, by the launcher's name.

Their variables are given by hand. Where `mpiexec.hydra` (of MPICH or Intel MPI) is in PATH, it starts the ranks as well."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from drawn import drawn  # noqa: E402
from job import MPIRUN  # noqa: E402
from muster import BIN, report, reports  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
SMALL = ("-b", "4K", "-e", "64K", "-n", "7", "--profile", "generic")
RANKS = 2


def of_hydra(rank):
    return {"PMI_RANK": rank, "PMI_SIZE": RANKS, "MPI_LOCALRANKID": rank, "MPI_LOCALNRANKS": RANKS, "PMI_FD": 9}


# Name and variables of a rank: as MPICH 5.0.2 and Intel MPI 2021.19 set them, and as the others document them.
LAUNCHERS = {
    "mpiexec of MPICH": lambda rank: of_hydra(rank) | {"HYDI_CONTROL_FD": 7},
    "mpirun of Intel MPI": lambda rank: of_hydra(rank) | {"I_MPI_HYDRA_UUID": "e93f0000", "I_MPI_PIN_INFO": rank},
    "mpiexec of Hydra": of_hydra,
    "a launcher that speaks PMI": lambda rank: {"PMI_ID": rank, "PMI_PORT": "h1:35605"},
    "srun": lambda rank: {"SLURM_PROCID": rank, "SLURM_STEP_NUM_TASKS": RANKS, "SLURM_LOCALID": 0},
    "flux run": lambda rank: {"FLUX_TASK_RANK": rank, "FLUX_JOB_SIZE": RANKS, "FLUX_TASK_LOCAL_ID": rank},
    "mpiexec of PALS": lambda rank: {"PALS_RANKID": rank, "PALS_LOCAL_RANKID": rank, "PMI_RANK": rank, "PMI_SIZE": RANKS},
    "aprun": lambda rank: {"ALPS_APP_PE": rank},
    "jsrun": lambda rank: {"JSM_NAMESPACE_RANK": rank, "JSM_NAMESPACE_SIZE": RANKS},
    "mpirun_rsh of MVAPICH": lambda rank: {"MV2_COMM_WORLD_RANK": rank, "MV2_COMM_WORLD_SIZE": RANKS},
    # Its server is of a version that this library cannot talk to.
    "a launcher that speaks PMIx": lambda rank: {"PMIX_RANK": rank, "PMIX_NAMESPACE": "job.1",
                                                 "PMIX_SERVER_URI99": "job.0;tcp4://127.0.0.1:1"},
}


def text(variables):
    return {name: str(value) for name, value in variables.items()}


class Foreign(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name).resolve()

    def healthy(self, folder, **options):
        """A job of this library's own launcher, whose report lies there."""
        run = subprocess.run([*MPIRUN, "-np", str(RANKS), PROGRAM, *SMALL], cwd=folder, capture_output=True, text=True,
                             check=False, stdin=subprocess.DEVNULL, **options)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotEqual(report(folder)["status"], "unknown")

    def expect_told(self, folder, said, launcher):
        """Once, by a report that is not a pass any more."""
        self.assertEqual(said.count("UNKNOWN: "), 1, said)
        self.assertEqual(len(reports(folder)), 1)
        document = report(folder)
        self.assertEqual(document["status"], "unknown")
        run = document["checks"][0]
        self.assertEqual(run["measurements"], [])
        self.assertTrue(run["reason"].startswith(f"{launcher} started "), run["reason"])
        self.assertIn(", but Open MPI v", run["reason"])
        self.assertIn(" sees a job of 1: start it with the mpirun of that library", run["reason"])

    def each(self, variables_of, folder, *options, program=PROGRAM):
        """Code and words of each rank, the last one first."""
        words = [program, *options]
        ran = [subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env=os.environ | text(variables_of(rank))) for rank in reversed(range(RANKS))]
        return [(run.returncode, run.stdout + run.stderr) for run in ran]

    def test_one_rank_names_the_launcher_and_no_pass_is_left(self):
        self.healthy(self.folder)

        def check(launcher):
            folder = self.folder / launcher
            folder.mkdir()
            shutil.copy(reports(self.folder)[0], folder)
            (code, said), (first_code, first_said) = self.each(LAUNCHERS[launcher], folder, *SMALL)
            self.assertEqual((code, said), (3, ""))
            self.assertEqual(first_code, 3)
            self.expect_told(folder, first_said, launcher)

        beside.each(self, check, drawn(3, list(LAUNCHERS)))

    def test_ranks_of_one_launcher_are_not_jobs_of_one_rank_each(self):
        """Although --ranks 1 asks for such jobs."""
        for launcher in drawn(1, ["mpiexec of MPICH", "srun", "flux run", "aprun"]):
            codes = [code for code, _ in self.each(LAUNCHERS[launcher], self.folder, *SMALL, "--ranks", "1")]
            self.assertEqual(codes, [3, 3])
            self.assertEqual(report(self.folder)["status"], "unknown")

    @unittest.skipUnless((BIN / "muster-ib-bandwidth").exists(), "built without verbs")
    def test_a_check_of_hosts_is_not_that_of_one_host(self):
        for launcher in drawn(1, ["flux run", "aprun"]):
            (code, said), (first_code, first_said) = self.each(LAUNCHERS[launcher], self.folder, "--profile", "generic",
                                                               program=BIN / "muster-ib-bandwidth")
            self.assertEqual((code, said), (3, ""))
            self.assertEqual(first_code, 3)
            self.expect_told(self.folder, first_said, launcher)

    def test_variables_that_another_launcher_left_in_the_shell_disturb_no_job(self):
        def check(launcher):
            folder = self.folder / launcher
            folder.mkdir()
            self.healthy(folder, env=os.environ | text(LAUNCHERS[launcher](0)))

        beside.each(self, check, drawn(1, ["mpiexec of MPICH", "mpirun of Intel MPI", "flux run"]))

    def test_a_batch_script_of_slurm_is_not_a_rank(self):
        run = subprocess.run([PROGRAM, *SMALL, "--ranks", "1"], cwd=self.folder, capture_output=True, text=True, check=False,
                             env=os.environ | {"SLURM_PROCID": "0", "SLURM_JOB_ID": "7", "SLURM_NTASKS": "2"})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_a_node_in_such_a_job_starts_its_own(self):
        launcher = LAUNCHERS["flux run"](1)
        run = subprocess.run([BIN / "muster", "node", "--only", "host_allreduce", "--even-if-in-use", "--lock",
                              self.folder / "lock"], cwd=self.folder, capture_output=True, text=True, check=False,
                             stdin=subprocess.DEVNULL, env=os.environ | text(launcher))
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    @unittest.skipUnless(shutil.which("mpiexec.hydra"), "there is no Hydra here")
    def test_hydra_itself(self):
        for _ in range(3):
            self.healthy(self.folder)
            start = time.monotonic()
            run = subprocess.run(["mpiexec.hydra", "-n", str(RANKS), PROGRAM, *SMALL], cwd=self.folder, capture_output=True,
                                 text=True, check=False, stdin=subprocess.DEVNULL)
            self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
            self.assertLess(time.monotonic() - start, 10)
            launcher = "mpirun of Intel MPI" if "Intel" in run_version() else "mpiexec of MPICH"
            self.expect_told(self.folder, run.stdout, launcher)


def run_version():
    return subprocess.run(["mpiexec.hydra", "--version"], capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("skipped: built without Open MPI")
        sys.exit(77)
    beside.main(2)
