# SPDX-License-Identifier: Apache-2.0
"""Jobs of MPI as users start them: by mpirun, by a loop, by `muster node`."""
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from drawn import IS_WHOLE, drawn  # noqa: E402
from job import MPIRUN, WITHOUT_PAUSE, running, signal_rank, wait_for  # noqa: E402
from muster import BIN, SOURCE, accused, calibrated, forget_reports, muster, node, report, reports  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
SMALL = ("-b", "4K", "-e", "64K", "-n", "7")


def numbers(cpus):
    """Of the kernel's list: "0-2,8"."""
    ends = [list(map(int, part.split("-"))) for part in cpus.split(",")]
    return [number for part in ends for number in range(part[0], part[-1] + 1)]


class Job(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name).resolve()

    def mpirun(self, *words, ranks=4, **options):
        """Runs the check, or what the words say when there is a colon among them, and captures its output."""
        words = list(map(str, words))
        job = words if ":" in words else ["-np", str(ranks), PROGRAM, *words]
        return subprocess.run([*MPIRUN, *WITHOUT_PAUSE, *job], cwd=self.folder, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, **options)

    def only_run(self):
        runs = [run for run in report(self.folder)["checks"] if run["check"] == "host_allreduce"]
        self.assertEqual(len(runs), 1)
        return runs[0]

    def test_four_ranks_give_one_report_one_table_and_an_exit_code(self):
        run = self.mpirun(*SMALL)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        status = "pass" if len(os.sched_getaffinity(0)) >= 4 else "warn"  # of ranks that share CPUs
        self.assertEqual(report(self.folder)["status"], status)
        self.assertEqual(len(report(self.folder)["hosts"]), 1)
        self.assertRegex(run.stdout, r"(?m)^ +size +type +redop +placement +n +time +p99 +algbw +busbw +95 % +wrong$")
        self.assertEqual(run.stdout.count(f"{status.upper()}: "), 1)
        rates = [fact for fact in self.only_run()["measurements"] if fact["metric"] == "host_allreduce.bus_bandwidth"]
        self.assertEqual([fact["labels"]["size"] for fact in rates], ["4 KiB", "64 KiB"] * 2)
        for fact in rates:
            self.assertEqual(fact["stopping"]["n"], 7)

    @beside.alone
    def test_two_ranks_on_one_cpu_are_warned_of_with_their_host(self):
        cpus = sorted(os.sched_getaffinity(0))
        for allowed in (cpus[:1], cpus[:2]):
            self.mpirun(*SMALL, ranks=2, env=os.environ | {"OMPI_MCA_hwloc_base_binding_policy": "none",
                                                           "OMPI_MCA_mpi_yield_when_idle": "1"},
                        preexec_fn=lambda allowed=allowed: os.sched_setaffinity(0, allowed))
            found = {("ranks_share_cpus", platform.node())} if len(allowed) == 1 else set()
            self.assertEqual(accused(report(self.folder), "host"), found)
            told, = [fact for fact in self.only_run()["measurements"] if fact["metric"] == "host_allreduce.rank_cpus"]
            self.assertEqual((told["labels"]["ranks"], numbers(told["value"])), ("0-1", allowed))

    def test_bus_bandwidth_is_by_the_published_factor(self):
        self.mpirun(*SMALL, "--in-place")
        facts = {(fact["metric"], fact["labels"].get("size")): fact["value"]["value"]
                 for fact in self.only_run()["measurements"] if "unit" in fact["value"]}
        times = {fact["labels"]["size"]: fact["summary"] for fact in self.only_run()["measurements"]
                 if fact["metric"] == "host_allreduce.time"}
        for size, count in (("4 KiB", 4096), ("64 KiB", 65536)):
            algorithm = facts["host_allreduce.algorithm_bandwidth", size]
            self.assertAlmostEqual(facts["host_allreduce.bus_bandwidth", size] / algorithm, 1.5, 9)
            self.assertAlmostEqual(count / algorithm / facts["host_allreduce.time", size], 1, 9)
            outliers = facts["host_allreduce.outliers", size] * times[size]["n"]
            self.assertAlmostEqual(outliers, round(outliers), 9)
            self.assertEqual(outliers > 0, times[size]["maximum"] > 1.5 * times[size]["median"])

    def test_a_time_limit_beyond_all_clocks_is_a_long_one(self):
        run = self.mpirun(*SMALL, "--timeout", "1e300")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_the_method_of_osu_gives_latencies_and_no_bandwidth(self):
        run = self.mpirun("--method", "osu", *SMALL)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        facts = [(fact["metric"], fact["labels"].get("size")) for fact in self.only_run()["measurements"]]
        for size in ("4 KiB", "64 KiB"):
            self.assertIn(("host_allreduce.osu_latency", size), facts)
            self.assertIn(("host_allreduce.wrong_elements", size), facts)
        self.assertNotIn("host_allreduce.bus_bandwidth", [metric for metric, _ in facts])

    @beside.alone
    def test_the_method_of_osu_measures_each_size_though_it_has_buffers_of_the_greatest(self):
        latencies = []
        for _ in range(3):  # of which other programs can hardly delay all
            run = self.mpirun("--method", "osu", "-b", "1K", "-e", "4M", "-f", "4096", "-n", "20", ranks=2)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            latencies.append([fact["value"]["value"] for fact in self.only_run()["measurements"]
                              if fact["metric"] == "host_allreduce.osu_latency"])
        small, large = map(min, zip(*latencies))
        self.assertLess(4 * small, large)

    def test_bad_input_is_one_sentence_of_one_rank_and_nobody_stays(self):
        wrong = [(["-e", "64G"], "--max-bytes: 64 GiB are 17179869184 elements"),
                 (["-b", "2M", "-e", "1M"], "there is no size from 2 MiB to 1 MiB"),
                 (["-b", "2", "-e", "2"], "--max-bytes: 2 B of type float are nothing that allreduce of 4 ranks could"),
                 (["-f", "1"], "sizes cannot grow by a factor of 1"),
                 (["-d", "half"], "--dtype: 'half' is not one of float, double"),
                 (["--method", "osu", "--in-place"], "--in-place: --method osu writes its inputs once"),
                 (["--topology", "/none"], "/none: there is no such file"),
                 (["--profile", "/none.json"], "/none.json"),
                 (["--report", "/none/report.json"], "--report /none/report.json cannot be written")]
        for words, said in drawn(3, wrong):
            start = time.monotonic()
            run = self.mpirun(*words)
            lines = [line for line in run.stderr.splitlines() if line.startswith("muster")]
            self.assertEqual(len(lines), 1, run.stderr)
            self.assertIn(said, lines[0])
            self.assertEqual(run.returncode, 2)
            self.assertLess(time.monotonic() - start, 5)
            self.assertEqual(running(self.folder), [])
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_check_of_one_process_speaks_in_every_rank(self):
        run = muster("--bogus", program="muster-limits", folder=self.folder,
                     env=os.environ | {"OMPI_COMM_WORLD_RANK": "3"})
        self.assertEqual(run.returncode, 2)
        self.assertIn("--bogus", run.stderr)

    def test_what_does_not_fit_into_memory_is_refused(self):
        for method, all_buffers in drawn(1, [("muster", "515 GB"), ("osu", "773 GB")]):  # two and three of each rank
            run = self.mpirun("--method", method, "-d", "double", "-b", "15G", "-e", "15G", ranks=16)
            self.assertIn(f"--max-bytes: the buffers of 15 GiB need {all_buffers}", run.stderr)
            self.assertEqual(run.returncode, 2)

    def test_jobs_of_one_rank_give_no_number(self):
        def check(number):
            folder = self.folder / str(number)
            folder.mkdir()
            run = muster(*SMALL, program=PROGRAM.name, folder=folder)
            self.assertEqual(run.returncode, 3)
            found, = [run for run in report(folder)["checks"] if run["check"] == "host_allreduce"]
            self.assertEqual(found["measurements"], [])
            self.assertIn("one rank moves no data", found["reason"])

        beside.each(self, check, range(16 if IS_WHOLE else 4))

    def test_ranks_with_other_profiles_give_no_number(self):
        other = self.folder / "other.json"
        other.write_text((SOURCE / "healthcheck/profiles/generic.json").read_text().replace("Any Linux", "Any other"))
        run = self.mpirun("-np", 2, PROGRAM, *SMALL, ":", "-np", 1, PROGRAM, *SMALL, "--profile", other)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(self.only_run()["reason"], "^rank 2 on .* has another profile than rank 0 on ")
        self.assertEqual(self.only_run()["measurements"], [])

    def replace(self, file, content):
        """Another file of that name: a rank may still run the one that is there."""
        beside = self.folder / "beside"
        beside.write_bytes(content)
        beside.chmod((self.folder / file).stat().st_mode)
        beside.replace(self.folder / file)

    def test_ranks_of_other_builds_give_no_number(self):
        for place in "bin", "lib", "share":
            shutil.copytree(BIN.parent / place, self.folder / place)
        for file in drawn(1, [f"bin/{PROGRAM.name}", "lib/muster/libmuster.so"]):
            with self.subTest(file):
                built = (self.folder / file).read_bytes()
                self.replace(file, built + b"another")
                run = self.mpirun("-np", 1, PROGRAM, *SMALL, ":", "-np", 1, self.folder / "bin" / PROGRAM.name, *SMALL)
                self.replace(file, built)
                self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
                self.assertRegex(self.only_run()["reason"], "^rank 1 on .* has another build of muster than rank 0 on ")

    def test_a_node_starts_the_job_itself(self):
        run = node("--only", "host_allreduce", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        ranks = [fact for fact in self.only_run()["measurements"] if fact["metric"] == "host_allreduce.ranks"]
        self.assertEqual(ranks[0]["value"]["value"], 2)

    def test_a_node_that_mpirun_starts_is_no_rank(self):
        run = self.mpirun("--bind-to", "core", "-np", 1, BIN / "muster", "node", "--only", "host_allreduce,ib_bandwidth",
                          "--even-if-in-use", "--lock", self.folder / "lock", ":", "-np", 1, "sleep", 1)
        self.assertEqual(self.only_run()["outcome"], "finished")
        other, = [each for each in report(self.folder)["checks"] if each["check"] == "ib_bandwidth"]
        self.assertEqual(run.returncode, 0 if other["outcome"] == "finished" else 3, run.stdout + run.stderr)

    def test_a_node_without_mpirun_cannot_measure(self):
        run = node("--only", "host_allreduce", folder=self.folder, env=os.environ | {"PATH": "/nowhere"})
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("mpirun is not in PATH", self.only_run()["reason"])

    def start(self, *words, ranks=3):
        """A job that would measure for minutes, once it measures."""
        forget_reports(self.folder)
        job = subprocess.Popen([*MPIRUN, "-np", str(ranks), PROGRAM, "-b", "4K", "-e", "64K", "-n", "1000000",
                                *words],
                               cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
        self.addCleanup(job.stdout.close)
        self.addCleanup(job.kill)

        def measuring():
            """a report that says that it measures"""
            return bool(reports(self.folder)) and self.only_run()["phase"].startswith("measuring")

        wait_for(measuring, 20)
        return job

    def expect_lost(self, job, rank, outcome, within, said):
        """The rank is named in the report within some seconds, and nobody is left 5 s later."""
        def closed():
            """a closed report"""
            return report(self.folder)["summary"] != "did not finish"

        wait_for(closed, within)
        run = self.only_run()
        self.assertEqual(run["outcome"], outcome)
        self.assertIn(f"rank {rank} on {run['host']} {said}", run["reason"])
        named = [verdict for verdict in run["verdicts"] if verdict["fault"] == "rank_lost"]
        self.assertEqual([(verdict["status"], verdict["labels"]["rank"], verdict["labels"]["host"]) for verdict in named],
                         [("unknown", str(rank), run["host"])])
        self.assertEqual(report(self.folder)["status"], "unknown")
        wait_for(lambda: not running(self.folder), 5)
        self.assertIn(f"rank {rank} on {run['host']} {said}", job.stdout.read())
        self.assertNotEqual(job.wait(), 0)

    @beside.alone
    def test_a_rank_that_dies_is_named(self):
        for rank in drawn(1, range(3)):
            with self.subTest(rank=rank):
                job = self.start()
                signal_rank(self.folder, rank, "SIGKILL")
                self.expect_lost(job, rank, "crashed", 0.5, "died")

    @beside.alone
    def test_a_rank_that_is_stopped_is_named_at_the_deadline(self):
        for rank in drawn(1, range(3)):
            with self.subTest(rank=rank):
                job = self.start("--timeout", "3")
                signal_rank(self.folder, rank, "SIGSTOP")
                self.expect_lost(job, rank, "timed_out", 4, "went silent")

    def test_a_node_names_the_rank_that_never_leaves(self):
        faults = shutil.copy(BIN.parent / "tests/libmpi_faults.so", self.folder)  # LD_PRELOAD takes no path with a space
        run = node("--only", "host_allreduce", "--timeout", 8, folder=self.folder,
                   env=os.environ | {"LD_PRELOAD": faults, "MUSTER_FAULT": "stuck", "MUSTER_FAULT_RANK": "1"})
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertRegex(self.only_run()["reason"],
                         r"^the job did not end within 6\.4 s: rank 1 on .* never left operation \d+, which others have$")
        self.assertEqual(running(self.folder), [])

    def test_thresholds_decide(self):
        def measure(name):
            self.mpirun("-b", "64K", "-e", "64K", "-n", "30", "--in-place", "--report", name, ranks=2)

        measure("healthy.json")
        made = calibrated(["healthy.json"], "--name", "here", "--pass", 0.6, "--fail", 0.4, "--output", "here.json", folder=self.folder, again=measure)
        self.assertEqual(made.returncode, 0, made.stderr)
        profile = json.loads((self.folder / "here.json").read_text())
        wanted = [each for each in profile["expectations"] if each["metric"] == "host_allreduce.bus_bandwidth"]
        self.assertEqual(len(wanted), 1)
        wanted[0].update({"pass": 2e3, "fail": 1e3})
        profile["expectations"] = wanted
        (self.folder / "here.json").write_text(json.dumps(profile))
        run = self.mpirun("-b", "64K", "-e", "64K", "--in-place", "--profile", "./here.json", ranks=2)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        fact = [fact for fact in self.only_run()["measurements"] if "stopping" in fact][0]
        stopping = fact["stopping"]
        self.assertEqual((stopping["decision"], stopping["pass_edge"], stopping["fail_edge"]), ("pass", 2e3, 1e3))
        self.assertLessEqual(fact["summary"]["n"], 70)  # without those of a slow start
        self.assertLess(stopping["n"] - fact["summary"]["n"], 20)  # which is looked for among the first 20


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("skipped: built without Open MPI")
        sys.exit(77)
    beside.main(3)
