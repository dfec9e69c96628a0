# SPDX-License-Identifier: Apache-2.0
"""`muster launch` on hosts with real ssh servers of `muster worker`: a verdict comes back, whatever becomes of the job."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
import beside  # noqa: E402
import open_mpi_5  # noqa: E402
from drawn import IS_WHOLE, drawn  # noqa: E402
from host_jobs import FAULT, are_alike, of_largest, told_beside_control  # noqa: E402
from host_jobs import JOB as LINK_JOB  # noqa: E402
from hosts import NETWORK, possible  # noqa: E402
from job import signal_rank  # noqa: E402
from launches import JOB, PORT, PROGRAM, Launches  # noqa: E402
from muster import BIN, accused, calibrated, install, muster, report  # noqa: E402

USER = 4711  # that runs jobs without being root
# Done with 4 KiB soon, and with 128 MiB after half a minute or more.
LONG_JOB = ("host_allreduce", "-b", "4K", "-e", "128M", "-f", "32768", "--in-place", "-n", "300")


class Stopped:
    """Jobs that end otherwise than by themselves."""

    def test_a_rank_that_dies_is_named_even_the_one_that_writes(self):
        for rank in drawn(1, range(3)):
            with self.subTest(rank=rank):
                self.assertEqual(self.killed(rank), 3)
                lost = {host for fault, host in accused(report(self.folder), "host") if fault == "rank_lost"}
                self.assertEqual(lost, {f"h{rank + 1}"}, self.only_run()["reason"])
                self.expect_nothing_left()

    def killed(self, rank):
        """The exit code of a job of which this rank was killed."""
        job = self.start()
        signal_rank(self.folder, rank, "SIGKILL")
        return job.wait(timeout=30)

    def expect_what_was_measured(self):
        """Of a job that was ended amid 128 MiB."""
        sizes = {fact["labels"]["size"] for fact in self.only_run()["measurements"]
                 if fact["metric"] == "host_allreduce.bus_bandwidth"}
        self.assertEqual(sizes, {"4 KiB"})

    def test_sigterm_leaves_a_report_in_time_and_nothing_running(self):
        job = self.start(job=LONG_JOB)
        self.wait_until_measuring(150e6)
        start = time.monotonic()
        job.terminate()
        self.assertEqual(job.wait(timeout=10), 3)
        self.assertLess(time.monotonic() - start, 5)
        self.assertEqual(self.only_run()["outcome"], "interrupted")
        self.expect_what_was_measured()
        self.expect_nothing_left()

    @unittest.skipUnless(IS_WHOLE, "a signal does so in ./muster test")
    @beside.alone
    def test_the_deadline_ends_a_job(self):
        start = time.monotonic()
        self.assertEqual(self.launch().returncode, 0)
        run = self.launch("--deadline", 2 + 2 * (time.monotonic() - start), job=LONG_JOB)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual(self.only_run()["outcome"], "timed_out")
        self.assertIn("did not end within", self.only_run()["reason"])
        self.expect_what_was_measured()
        self.expect_nothing_left()


class Ends(Stopped, Launches):
    def test_a_healthy_job_passes_and_its_report_names_all_hosts(self):
        run = self.launch("--summary", "summary.json")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        document = report(self.folder)
        self.assertEqual(sorted(host["name"] for host in document["hosts"]), self.hosts.names)
        self.assertEqual(document["checks"][0]["outcome"], "finished")
        self.assertLessEqual((self.folder / "summary.json").stat().st_size, 4096)
        self.assertIn("PASS", run.stdout)
        self.expect_nothing_left()

    def expect_ranks(self, ranks, *options, **variables):
        """Of a job whose hosts these options or variables name."""
        words = ["--port", PORT, "--keys", self.keys, "--interface", f"{NETWORK}.0/24", "--profile", "generic", *JOB]
        with self.subTest(options=options, variables=variables):
            run = muster("launch", *options, *words, folder=self.folder, env=self.environment | variables)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            facts = {fact["metric"]: fact["value"] for fact in self.only_run()["measurements"]}
            self.assertEqual(facts["host_allreduce.ranks"]["value"], ranks)
            self.assertEqual(len(self.only_run()["hosts"]), 3)

    def test_lists_of_all_launchers_name_the_hosts_too(self):
        for name, line in (("hostfile", "{} slots=2\n"), ("open", "root@{} slots = 2 max_slots=4\n"), ("pbs", "{0}\n{0}\n"),
                           ("hydra", "{}:2\n")):
            (self.folder / name).write_text("".join(line.format(address) for address in self.addresses))
        lists = [(6, ("--hostfile", "hostfile"), {}), (6, ("--hostfile", "open"), {}), (6, ("--hosts", f"{NETWORK}.[1,2,3]:2"), {}),
                 (3, (), {"SLURM_JOB_NODELIST": f"{NETWORK}.[1-3]", "SLURM_NTASKS": "7"}),
                 (6, (), {"PBS_JOBID": "7", "PBS_NODEFILE": "pbs"}),
                 (6, (), {"K_MPI_JOB_ROLE": "launcher", "HYDRA_HOST_FILE": "hydra"})]
        for ranks, options, variables in drawn(1, lists):
            self.expect_ranks(ranks, *options, **variables)

    def test_this_machine_alone_has_two_ranks_and_needs_no_ssh(self):
        run = muster("launch", "--profile", "generic", *JOB, folder=self.folder,
                     env=self.environment | {"OMPI_MCA_plm_rsh_agent": "false"})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("hosts: 1 of this machine alone", run.stderr)
        rates = [fact for fact in self.only_run()["measurements"] if fact["metric"] == "host_allreduce.bus_bandwidth"]
        self.assertEqual(len(rates), 2)

    def test_one_host_on_two_lines_has_two_ranks(self):
        (self.folder / "hostfile").write_text(f"{self.addresses[0]}\n{self.addresses[0]}\n")
        run = muster("launch", "--hostfile", "hostfile", "--port", PORT, "--keys", self.keys, "--interface", f"{NETWORK}.0/24",
                     "--profile", "generic", *JOB, folder=self.folder, env=self.environment)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        facts = {fact["metric"]: fact["value"] for fact in self.only_run()["measurements"]}
        self.assertEqual(facts["host_allreduce.ranks"]["value"], 2)

    def test_a_user_who_is_not_root_runs_worker_and_job(self):
        """The user has a name in an /etc/passwd that these programs alone see, and may be one who cannot look where this was built."""
        program = install(self.folder / "installed") / "bin/muster"
        users = pathlib.Path("/etc/passwd").read_text() + f"runner:x:{USER}:{USER}::/tmp:/bin/sh\n"
        (self.folder / "passwd").write_text(users)
        before = f"mount --bind {self.folder}/passwd /etc/passwd;"
        become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        port = "2223"
        for name in self.hosts.names:
            self.start_worker(name, *become, program=program, port=port, before=before)
        for name in self.hosts.names:
            self.wait_until_ready(name, port)
        words = self.launch_words("--report", "of-runner.json", port=port)
        job = self.on("h1", "env", "OMPI_MCA_btl=tcp,self", "OMPI_MCA_mpi_yield_when_idle=1", *become, program, *words,
                      before=before, cwd=self.folder, stderr=subprocess.PIPE, text=True)
        said = job.communicate(timeout=60)[1]
        self.assertEqual(job.returncode, 0, said)
        self.assertEqual(report(self.folder, "of-runner.json")["status"], "pass")

    def test_absent_hosts_are_named_with_what_failed(self):
        hosts = [*self.addresses, f"{NETWORK}.77", "nowhere.invalid"]
        start = time.monotonic()
        run = self.launch("--wait", "2", hosts=hosts)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertLess(time.monotonic() - start, 12)
        absent = {host for fault, host in accused(report(self.folder), "host") if fault == "host_absent"}
        self.assertEqual(absent, {f"{NETWORK}.77", "nowhere.invalid"})
        self.assertIn("its name cannot be resolved", run.stdout)
        self.assertIn("no connection to port 2222", run.stdout)

    def test_a_wrong_key_ends_unknown_with_what_to_do(self):
        run = self.launch(keys=self.make_keys("wrong"))
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("start the worker there with the same --keys", self.only_run()["reason"])

    @unittest.skipUnless(IS_WHOLE, "slow_links_test does so in ./muster test")
    @beside.alone
    def test_a_slow_host_is_named(self):
        first, port = "healthy.json", "2225"
        for number, name in enumerate(self.hosts.names):  # whose ranks come before all else that runs here
            self.start_worker(name, "nice", "-n", "-19", "taskset", "--cpu-list", number % os.cpu_count(), port=port)
            self.wait_until_ready(name, port)

        def measure(name):
            run = self.launch("--report", name, job=("host_allreduce", *LINK_JOB, "-n", "200"), port=port)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

        def calibrate():
            measure(first)
            made = calibrated([first], "--name", "here", "--pass", 0.6, "--fail", 0.4, "--output", "here.json",
                              folder=self.folder, again=measure)
            self.assertEqual(made.returncode, 0, made.stderr)

        def is_steady():
            measure("control.json")
            return are_alike(*(of_largest(report(self.folder, name)) for name in (first, "control.json")))

        def check():
            self.hosts.slow("h2", "egress", of_largest(report(self.folder, first))["value"]["value"] / FAULT)
            try:
                run = self.launch(profile=self.folder / "here.json", job=("host_allreduce", *LINK_JOB), port=port)
            finally:
                self.hosts.heal("h2")
            self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
            self.assertIn(("host_allreduce_slow_path", "h2"), accused(report(self.folder), "host"))

        calibrate()
        told_beside_control(self, check, is_steady, calibrate)

    def test_bad_options_are_one_sentence_before_anything_waits(self):
        for words, said in ((("host_memory",), "is not a check that runs as a job"),
                            (("--ranks-on-each", "1", "host_allreduce"), "one rank moves no data"),
                            (("host_allredcue",), "Did you mean 'host_allreduce'?"),
                            (("host_allreduce", "-b", "many"), "-b"),
                            (("host_allreduce", "--report", "x"), "--report is told to muster launch"),
                            (("--no-such-option", "host_allreduce"), "there is no option '--no-such-option'"),
                            ((), "CHECK"),
                            (("--keys", self.folder / "nowhere", "host_allreduce"), "--keys"),
                            (("--hosts", "-oProxyCommand=x", "host_allreduce"), "not a name of a host"),
                            (("--hosts", "a:8,b:4", "host_allreduce"), "b has 4 slots where others have 8"),
                            (("--hosts", "gpu-[1-", "host_allreduce"), "is not a list of hosts")):
            with self.subTest(words=words):
                self.expect_refused(said, *words)

    def expect_refused(self, said, *words, **variables):
        """In one sentence."""
        run = muster("launch", *words, folder=self.folder, env=self.environment | variables)
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        self.assertIn(said, run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)

    def test_a_job_whose_hosts_cannot_be_read_is_refused_by_its_launcher(self):
        for variables, said in (({"PBS_JOBID": "7"}, "this is a job of PBS"), ({"PBS_NODEFILE": "nowhere"}, "PBS_NODEFILE names"),
                                ({"LSB_JOBID": "7"}, "this is a job of LSF"), ({"PE_HOSTFILE": "nowhere"}, "PE_HOSTFILE names"),
                                ({"FLUX_URI": "local:///run/flux"}, "$(flux getattr hostlist)"),
                                ({"SLURM_JOB_ID": "7"}, "this is a job of Slurm"), ({"K_MPI_JOB_ROLE": "launcher"}, "MPIJob"),
                                ({"OMPI_MCA_orte_default_hostfile": "nowhere"}, "OMPI_MCA_orte_default_hostfile names")):
            with self.subTest(variables):
                self.expect_refused(said, "host_allreduce", **variables)

    def test_the_wait_for_a_thousand_hosts_is_side_by_side_and_small(self):
        hosts = [f"nowhere{number}.invalid" for number in range(1000)]
        start = time.monotonic()
        run = self.launch("--wait", "1", hosts=hosts)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertLess(time.monotonic() - start, 20)
        self.assertEqual(len(self.only_run()["measurements"]), 1000)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 100 * 1024)


@unittest.skipUnless(IS_WHOLE, "Open MPI 5 is tested with --all")  # and its hosts are not made
class StoppedByOpenMpi5(open_mpi_5.ByOpenMpi5, Stopped, Launches):
    """Whose mpirun kills ranks a quarter of a second after it has told them to stop."""


class Workers(Launches):
    def test_a_worker_ends_when_told_and_its_port_is_free(self):
        worker = self.start_worker("h1", port="2224")
        self.wait_until_ready("h1", "2224")
        worker.terminate()
        self.assertEqual(worker.wait(timeout=5), 0)
        probe = self.on("h1", BIN / "muster", "probe", "--port", "2224", stdout=subprocess.PIPE, text=True)
        self.assertIn("no connection to port 2224", probe.communicate()[0])
        self.assertEqual(probe.returncode, 1)

    def test_a_worker_whose_port_is_taken_says_so(self):
        worker = self.start_worker("h1")
        said = worker.communicate(timeout=20)[1]
        self.assertEqual(worker.returncode, 3, said)
        self.assertIn("sshd ended", said)
        self.assertIn("Cannot bind any address", said)

    def test_a_host_that_has_not_the_jobs_key_is_not_trusted(self):
        """Who answers at the address of h2 lets the job in, but cannot prove that it is a host of the job."""
        stranger, port = self.make_keys("stranger"), "2226"
        shutil.copy(self.keys / "authorized_keys", stranger)
        for name in self.hosts.names:
            self.start_worker(name, port=port, keys=stranger if name == "h2" else None)
        for name in self.hosts.names:
            self.wait_until_ready(name, port)
        run = self.launch(port=port)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertIn("host key", self.only_run()["reason"].lower())
        self.assertEqual({host for fault, host in accused(report(self.folder), "host") if fault == "launch_failed"},
                         {self.addresses[1]})

    def test_a_worker_without_keys_is_a_bad_option(self):
        run = muster("worker", "--keys", self.folder, folder=self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertIn("authorized_keys", run.stderr)


if __name__ == "__main__":
    with open_mpi_5.installed_for(StoppedByOpenMpi5):
        if not (PROGRAM.exists() and possible()):
            print("skipped: needs Open MPI, and the right to make network namespaces")
            sys.exit(77)
        beside.main(4)
