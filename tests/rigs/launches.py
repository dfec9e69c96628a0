# SPDX-License-Identifier: Apache-2.0
"""What tests of `muster launch` share: hosts with a worker on each, and jobs on them in folders of their own."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from hosts import NETWORK, Hosts, sh  # noqa: E402
from job import cpu_seconds, processes, wait_for  # noqa: E402
from muster import BIN, forget_reports, muster, report  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
PORT = "2222"
JOB = ("host_allreduce", "-b", "4K", "-e", "64K", "-f", "16", "--in-place", "-n", "10")
# There are more hosts than cores here, and each has one address in a network of its own.
ENVIRONMENT = os.environ | {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_mpi_yield_when_idle": "1"}


def make_keys(keys):
    """In this new folder, as a mounted secret: readable by all, which ssh itself would refuse."""
    keys.mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / "id_ed25519"], check=True)
    shutil.copy(keys / "id_ed25519.pub", keys / "authorized_keys")
    for file in keys.iterdir():
        file.chmod(0o644)
    return keys


class Launches(unittest.TestCase):
    """Over three hosts, each with a worker that has the job's keys."""
    COUNT = 3

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.folder.chmod(0o777)
        cls.keys = cls.make_keys("keys")
        cls.hosts = Hosts(cls.COUNT, cls.folder)
        cls.addClassCleanup(cls.hosts.close)
        cls.addresses = [f"{NETWORK}.{name[1:]}" for name in cls.hosts.names]
        for name in cls.hosts.names:
            cls.start_worker(name)
        for name in cls.hosts.names:
            cls.wait_until_ready(name)

    def setUp(self):
        """A folder and a place for temporary files that are this test case's own."""
        self.folder = type(self).folder / self._testMethodName
        self.scratch = self.folder / "tmp"
        for folder in (self.folder, self.scratch):
            folder.mkdir()
            folder.chmod(0o777)
        self.environment = ENVIRONMENT | {"TMPDIR": str(self.scratch)}

    @classmethod
    def make_keys(cls, name):
        return make_keys(cls.folder / name)

    @classmethod
    def on(cls, name, *words, before="", cwd=None, **options):
        """A program on a host, in its name."""
        line = f'hostname {name}; {before} exec "$@"'
        return subprocess.Popen(["ip", "netns", "exec", cls.hosts.prefix + name, "unshare", "--uts", "--mount", "sh", "-c",
                                 line, "sh", *map(str, words)], cwd=cwd or cls.folder, stdin=subprocess.DEVNULL, **options)

    @classmethod
    def start_worker(cls, name, *words, program=BIN / "muster", port=PORT, keys=None, before=""):
        worker = cls.on(name, *words, program, "worker", "--port", port, "--keys", keys or cls.keys, before=before,
                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        cls.addClassCleanup(worker.wait)
        cls.addClassCleanup(worker.stderr.close)
        cls.addClassCleanup(worker.terminate)
        return worker

    @classmethod
    def wait_until_ready(cls, name, port=PORT):
        def ready():
            """an ssh server that answers"""
            return cls.on(name, BIN / "muster", "probe", "--port", port, stdout=subprocess.DEVNULL).wait() == 0

        wait_for(ready, 20)

    def launch_words(self, *options, job=JOB, hosts=None, port=PORT, keys=None, profile="generic",
                     interface=f"{NETWORK}.0/24"):
        return ["launch", "--hosts", ",".join(hosts or self.addresses), "--port", port, "--keys", keys or self.keys,
                *(["--interface", interface] if interface else []), "--profile", profile, *options, *job]

    def launch(self, *options, environment=None, **more):
        forget_reports(self.folder)
        return muster(*self.launch_words(*options, **more), folder=self.folder,
                      env=self.environment | (environment or {}), timeout=120)

    def start(self, *options, job=(*JOB[:-1], "1000000"), **more):
        """A job that would measure for minutes, once it measures."""
        forget_reports(self.folder)
        running = subprocess.Popen([BIN / "muster", *map(str, self.launch_words(*options, job=job, **more))], cwd=self.folder,
                                   env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.addCleanup(running.stdout.close)
        self.addCleanup(running.kill)
        self.wait_until_measuring()
        return running

    def wait_until_measuring(self, resident=0):
        """Until every rank has so many bytes in memory and has worked for longer than ranks need to find each other."""
        def measuring():
            """a rank on each host that measures"""
            try:
                ranks = self.ranks()
                seconds = [cpu_seconds(process.name) for process in ranks]
                memory = [int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") for process in ranks]
            except OSError:  # of one that has ended just now
                return False
            return len(ranks) == len(self.addresses) and min(seconds) >= 0.5 and min(memory) >= resident

        wait_for(measuring, 60)

    def ranks(self):
        found = []
        for process in processes(self.folder):
            with contextlib.suppress(OSError):  # one that has ended just now
                found += [process] if (process / "cmdline").read_text().split("\0")[0] == str(PROGRAM) else []
        return found

    @contextlib.contextmanager
    def firewall_towards(self, address, names):
        """Hosts ask for connections there in vain."""
        commands = [f"ip netns exec {self.hosts.prefix}{host} iptables -ACTION OUTPUT -d {address} -p tcp --syn -j DROP" for host in names]
        try:
            for command in commands:
                sh(command.replace("ACTION", "A"))
            yield
        finally:
            for command in commands:
                sh(command.replace("ACTION", "D"))

    def expect_no_way_back(self, run, names):
        """These hosts cannot reach the machine that starts the job, and no others are named."""
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        reason = self.only_run()["reason"]
        self.assertRegex(reason, rf"cannot reach the machine that starts them at {NETWORK}\.254 \(no connection to port \d+: .*firewall")
        self.assertEqual(reason.rpartition(" from ")[2], ", ".join(f"{NETWORK}.{name[1:]}" for name in names))

    def expect_nothing_left(self):
        def gone():
            """no rank that is left"""
            return not self.ranks()

        wait_for(gone, 5)
        left = [*self.scratch.glob("muster-job-*")]
        self.assertEqual(left, [])

    def only_run(self):
        return report(self.folder)["checks"][0]
