# SPDX-License-Identifier: Apache-2.0
"""What people who met muster for the first time stumbled over."""
import contextlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from machines import H100, made  # noqa: E402
from muster import BIN, SOURCE, STEADY_MEMORY, expect_refused, muster, node, report  # noqa: E402

EXAMPLES = SOURCE / "results/examples"


@contextlib.contextmanager
def busy_machine():
    """While other work wants twice the CPUs that there are."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    try:
        yield
    finally:
        for process in others:
            process.kill()
            process.wait()


class Newcomers(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_muster(self, *arguments, **options):
        return muster(*arguments, folder=self.folder, **options)

    def collect(self, nodes):
        (self.folder / "reports").mkdir(exist_ok=True)
        return self.run_muster("fleet", "collect", "reports", "--nodes", nodes)

    def test_programs_take_no_library_from_the_folder_where_they_are_started(self):
        for program in sorted(file for file in BIN.glob("muster*") if file.is_file()):
            with self.subTest(program.name):
                needed = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
                libraries = [line.split()[0] for line in needed.splitlines() if "=>" in line]
                self.assertIn("libmuster.so", libraries)
                for library in libraries:
                    (self.folder / library).write_text("no library")
                run = self.run_muster("--help", program=program.name)
                self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_the_table_says_of_every_value_how_it_was_judged(self):
        run = self.run_muster("limits", "--all", env=os.environ | {"COLUMNS": "300"})  # so that no line is folded
        document = report(self.folder)["checks"][0]
        judged = {verdict["metric"].partition(".")[2] for verdict in document["verdicts"] if verdict["status"] != "skip"}
        told = {line.split()[0] for line in run.stdout.splitlines() if ", expected: " in line and line.startswith("     ")}
        self.assertTrue(judged)
        self.assertEqual(told, judged, run.stdout)

    def test_one_metric_is_shown_alone_and_one_that_is_not_there_is_told(self):
        self.run_muster("limits", "--report", "muster-report.json")
        run = self.run_muster("report", "--metric", "limits.open_files", "--exit-zero")  # of the report of `muster node`
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([line.split()[0] for line in run.stdout.splitlines() if line.startswith("    ")], ["open_files"], run.stdout)
        self.assertIn("no check measured disk_io.rate", self.run_muster("report", "--metric", "disk_io.rate").stdout)
        expect_refused(self, self.run_muster("report", "--metric", "bandwidth"), "'host_memory.bandwidth'", "'disk_io.bandwidth'")

    def test_several_metrics_are_shown_and_each_that_is_not_there_is_told(self):
        asked = "limits.open_files", "limits.locked_memory", "disk_io.rate"
        for words in ([word for metric in asked for word in ("--metric", metric)], ["--metric", ", ".join(asked)]):
            run = self.run_muster("limits", *words)
            told = [line.split()[0] for line in run.stdout.splitlines() if line.startswith("    ")]
            self.assertEqual(sorted(told), ["locked_memory", "open_files"], run.stdout)
            self.assertEqual(run.stdout.count("no check measured"), 1)
            self.assertIn("no check measured disk_io.rate\n", run.stdout)
        expect_refused(self, self.run_muster("limits", "--metric", "limits.open_files,limits.open_filez"), "'limits.open_filez'")

    def test_a_table_that_goes_elsewhere_is_as_wide_as_columns_says(self):
        for columns in (60, 100):
            run = self.run_muster("report", EXAMPLES / "fail.json", env=os.environ | {"COLUMNS": str(columns)})
            self.assertLessEqual(max(map(len, run.stdout.splitlines())), columns)
        for none in ("wide", "", "0", "-1", "80x"):
            run = self.run_muster("report", EXAMPLES / "fail.json", env=os.environ | {"COLUMNS": none})
            self.assertEqual(run.stdout, (SOURCE / "tests/results/golden/fail.txt").read_text())

    def test_another_document_of_muster_is_called_what_it_is(self):
        self.collect("a")
        fleet, node, profile = self.folder / "muster-fleet.json", EXAMPLES / "pass.json", SOURCE / "healthcheck/profiles/generic.json"
        for command, word in ((("report", fleet), "muster fleet summary shows"), (("judge", fleet), "the report of a fleet"),
                              (("fleet", "summary", node), "which muster report shows"), (("fleet", "act", node), "the report of a run"),
                              (("calibrate", node, profile), "this is a profile"), (("judge", node, "--profile", fleet), "and no profile")):
            with self.subTest(command):
                run = self.run_muster(*command)
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(word, run.stderr)

    def test_a_report_that_was_cut_short_is_replaced_and_what_is_of_others_is_not(self):
        cut = (EXAMPLES / "pass.json").read_text()[:500]
        for name, text, code in (("cut.json", cut, 0), ("other.json", cut.replace("muster", "fio"), 2)):
            (self.folder / name).write_text(text)
            run = self.run_muster("limits", "--quiet", "--report", name)
            self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual((self.folder / "other.json").read_text(), cut.replace("muster", "fio"))

    def test_how_long_ago_a_fleet_was_tested_may_be_told_as_a_span(self):
        (self.folder / "reports").mkdir()
        self.run_muster("limits", "--report", "reports/a.json")
        name = report(self.folder, "reports/a.json")["hosts"][0]["name"]
        time.sleep(2.1)
        for since, found in (("6h", "1 passed"), ("90m", "1 passed"), ("2d", "1 passed"), ("1s", "1 missing")):
            run = self.run_muster("fleet", "collect", "reports", "--nodes", name, "--since", since)
            self.assertIn(f"of 1 node: {found}", run.stdout)
        for wrong in ("6", "h", "-6h", "6 hours", "yesterday", "99999d"):
            run = self.run_muster("fleet", "collect", "reports", "--nodes", name, f"--since={wrong}")
            expect_refused(self, run, "--since", f"'{wrong}' is not a time", "6h")

    def test_nodes_are_told_apart_by_commas_and_blanks(self):
        for wrong in ("gpu-1-2]", "gpu-{1..3}", "*"):
            expect_refused(self, self.collect(wrong), f"--nodes: '{wrong}' is not a ", "gpu-[0")
        for text in ("a, b", "a b", "a,b", "a\nb\n"):
            self.assertIn("of 2 nodes: 2 missing", self.collect(text).stdout)

    def test_an_old_report_of_a_fleet_says_so(self):
        self.collect("a")
        file = self.folder / "muster-fleet.json"
        self.assertEqual(self.run_muster("fleet", "summary", file).stderr, "")
        file.write_text(json.dumps(json.loads(file.read_text()) | {"made": "2026-11-20T05:00:00.000Z"}))
        run = self.run_muster("fleet", "summary", file)
        self.assertEqual(run.returncode, 1)
        self.assertIn("it was made at 2026-11-20T05:00:00.000Z, more than 24 h ago", run.stderr)
        self.assertIn("made 2026-11-20T05:00:00.000Z", run.stdout.splitlines()[0])

    def test_counters_that_a_node_keeps_are_no_report_and_no_trouble(self):
        (self.folder / "reports").mkdir()
        run = self.run_muster("inventory", "--state", "reports", "--report", "reports/a.json")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertGreater(len(list((self.folder / "reports").iterdir())), 1)
        name = report(self.folder, "reports/a.json")["hosts"][0]["name"]
        run = self.collect(name)
        self.assertEqual(run.returncode, 0, run.stdout)
        self.assertNotIn("NO REPORT", run.stdout)

    def test_looks_before_and_after_jobs_may_have_a_folder_of_their_own(self):
        night, jobs = self.folder / "night", self.folder / "jobs"
        night.mkdir(), jobs.mkdir()
        (self.folder / "slurm.json").write_text("{}")
        for environment, folder in (({"MUSTER_REPORTS": night}, night), ({"MUSTER_REPORTS": night, "MUSTER_JOB_REPORTS": jobs}, jobs)):
            command = 'source "$0" && report=$1 && leave_report'
            subprocess.run(["bash", "-c", command, SOURCE / "healthcheck/deploy/slurm/look.sh", self.folder / "slurm.json"], check=True,
                           env=os.environ | {name: str(value) for name, value in environment.items()})
            self.assertEqual([len(list(each.iterdir())) for each in (night, jobs)], [1, int(folder == jobs)])

    def drained(self, tree):
        """How a look before a job ends, what Slurm is told, and what is logged."""
        programs, told, left = (self.folder / name for name in ("programs", "told", "left"))
        programs.mkdir(), left.mkdir()
        for name in ("scontrol", "sinfo", "logger"):
            (programs / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{told}\n')
            (programs / name).chmod(0o755)
        command = 'source "$0"; state=$1 report=$1/slurm.json unfit=$1/slurm.unfit PATH=$2:$PATH; fit "$3"'
        options = f"--root {tree} --tier preflight --only ib_link --even-if-in-use --lock {self.folder}/lock"
        run = subprocess.run(["bash", "-c", command, SOURCE / "healthcheck/deploy/slurm/look.sh", self.folder / "state", f"{programs}:{BIN}", options],
                             env=os.environ | {"MUSTER_REPORTS": str(left)}, capture_output=True, text=True, check=False)
        self.assertEqual(len(list(left.iterdir())), 1)
        return run.returncode, told.read_text() if told.exists() else "", run.stderr

    def test_slurm_is_told_a_culprit_whose_sentence_is_longer_than_a_line(self):
        tree = self.folder / "tree"
        made(H100, tree)
        for file, said in (("state", "1: DOWN"), ("phys_state", "2: Polling")):
            next(tree.glob(f"sys/class/infiniband/mlx5_ib3/ports/1/{file}")).write_text(f"{said}\n")
        code, told, said = self.drained(tree)
        self.assertEqual(code, 1, said)
        self.assertRegex(told, r"scontrol update nodename=\S+ state=drain reason=muster: ib_link\.state of .*mlx5_ib3.*\n")
        self.assertGreater(len(said.splitlines()[0]), 132)
        self.assertTrue((self.folder / "state/slurm.unfit").exists())

    def test_slurm_is_told_nothing_of_a_healthy_node(self):
        code, told, said = self.drained(SOURCE / "tests/machines/ndv5")
        self.assertEqual((code, told, said), (0, "", ""))

    @unittest.skipUnless((BIN / "muster-host-allreduce").exists(), "built without Open MPI")
    def test_a_job_that_could_not_begin_leaves_no_report_that_says_it_runs(self):
        programs = self.folder / "bin"
        programs.mkdir()
        run = self.run_muster("launch", "host_allreduce", env=os.environ | {"PATH": str(programs)})
        self.assertEqual(run.returncode, 3, run.stderr)
        check = report(self.folder)["checks"][0]
        self.assertEqual(check["outcome"], "error")
        self.assertIn("mpirun is not in PATH", check["reason"])

    @unittest.skipUnless((BIN / "muster-host-allreduce").exists(), "built without Open MPI")
    def test_a_launcher_that_is_no_program_is_named(self):
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "mpirun").write_text("once upon a time\n")
        (programs / "mpirun").chmod(0o755)
        run = self.run_muster("launch", "host_allreduce", env=os.environ | {"PATH": str(programs)})
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertIn(f"could not be started: {programs}/mpirun: Exec format error", report(self.folder)["checks"][0]["reason"])

    @unittest.skipUnless((BIN / "muster-host-allreduce").exists(), "built without Open MPI")
    def test_files_that_cannot_grow_as_mpi_needs_are_told_before_it_starts(self):
        def limit(most):
            return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        run = self.run_muster("host_allreduce", preexec_fn=limit((4 << 20) - 1))
        self.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (3, "", 1), run.stderr)
        self.assertIn("no file may grow above 4194303 bytes here, and MPI needs files of 4194304; raise ulimit -f", run.stderr)
        self.assertNotIn("MPI needs", self.run_muster("host_allreduce", preexec_fn=limit(4 << 20)).stderr)
        run = node("--only", "host_allreduce", folder=self.folder, preexec_fn=limit(3 << 20), timeout=60)
        self.assertEqual(run.returncode, 3, run.stdout)
        self.assertIn("MPI needs files of 4194304; raise ulimit -f", run.stdout)

    @unittest.skipIf(pathlib.Path("/sys/class/infiniband").exists(), "this machine has adapters to disturb")
    def test_checks_that_find_nothing_here_skip_on_a_busy_machine_too(self):
        with busy_machine():
            self.run_muster("node", "--lock", self.folder / "lock", "--only", "host_memory,ib_bandwidth", "--report", "node.json")
            self.assertNotIn("keeps this machine busy", self.run_muster("ib_bandwidth").stderr)
        outcomes = {run["check"]: run["outcome"] for run in report(self.folder, "node.json")["checks"]}
        self.assertEqual((outcomes["host_memory"], outcomes["ib_bandwidth"]), ("in_use", "skipped"))

    def test_a_check_alone_says_that_other_work_keeps_the_machine_busy(self):
        with busy_machine():
            told = [self.run_muster("clock", *more).stderr for more in ((), ("--quiet",))]
        self.assertIn("muster clock: other work keeps this machine busy: ", told[0])
        self.assertNotIn("keeps this machine busy", told[1])
        self.assertNotIn("keeps this machine busy", self.run_muster("limits").stderr)  # which measures nothing

    def test_threads_that_openmp_is_told_are_no_fault_of_the_machine(self):
        for wrong in ("", " 3 ", "0", "abc"):
            with self.subTest(wrong):
                run = self.run_muster("host_memory", "--bytes-per-array", "4M", "--quiet", env=os.environ | {"OMP_NUM_THREADS": wrong})
                check = report(self.folder)["checks"][0]
                self.assertEqual((run.returncode, check["outcome"]), (0, "finished"), run.stdout + run.stderr)

    def test_no_sentence_is_what_was_measured_instead_of_something(self):
        for example in sorted(EXAMPLES.glob("*.json")):
            shown = self.run_muster("report", example, "--all").stdout
            self.assertNotRegex(" ".join(shown.split()), r"instead of (measured|none)\b", example)

    @unittest.skipUnless((BIN / "muster-scratch").exists(), "built without libblkid")
    def test_whether_scratch_is_mounted_is_answered_as_it_is_asked(self):
        for root, code, words in (("/", 1, "not mounted: "), (SOURCE / "tests/machines/ndv5", 3, "unknown: proc/1/mountinfo: is not in this captured tree")):
            run = self.run_muster("scratch", "--is-mounted", "--root", root, "--mount-at", "/nowhere")
            self.assertEqual(run.returncode, code, run.stdout + run.stderr)
            self.assertIn(f"scratch: {words}", run.stdout.splitlines()[-1])

    def test_calibrate_says_what_it_made_and_refuses_what_could_not_be_used(self):
        self.run_muster(*STEADY_MEMORY, "--report", "1.json")
        thresholds = ("--pass", 0.6, "--fail", 0.4)
        for wrong, words in ((("--extends", "nosuch"), ("nosuch", "there is no profile")), (("--name", "generic"), ("--name", "another name"))):
            expect_refused(self, self.run_muster("calibrate", "1.json", *thresholds, *wrong, "--output", "p.json"), *words)
        expect_refused(self, self.run_muster("calibrate", "1.json"), "one run")
        self.assertFalse((self.folder / "p.json").exists())
        refused = self.run_muster("calibrate", "1.json", *thresholds, "--without", "host_memory.bandwidth , host_memory.latency")
        expect_refused(self, refused, "hold no host_memory.latency that")  # the blanks are no part of a name
        made = self.run_muster("calibrate", "1.json", *thresholds, "--name", "mine", "--output", "p.json", "--force")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertRegex(made.stderr, r"mine: \d expectations? \(host_memory \d\), \d left out\n\Z")


if __name__ == "__main__":
    unittest.main()
