# SPDX-License-Identifier: Apache-2.0
"""`muster launch` says why mpirun could not start a job, and accuses the host that is why, and no other."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
import beside  # noqa: E402
import open_mpi_5  # noqa: E402
from drawn import IS_WHOLE, drawn  # noqa: E402
from hosts import NETWORK, Hosts, possible  # noqa: E402
from launch_faults import OPEN_MPI_4, of_open_mpi_5, of_version_5_on_the_host, variables_of  # noqa: E402
from launches import ENVIRONMENT, JOB, PORT, PROGRAM, Launches  # noqa: E402
from muster import BIN, muster, report  # noqa: E402

HEALTHY = 2  # hosts of every job, h1 and h2; the third has the fault
AT_ONCE = 3


class Failures(unittest.TestCase):
    """Each fault has a host of its own."""

    faults = drawn(5, OPEN_MPI_4)
    mpirun = "/usr/bin/mpirun"
    tries = 3  # both versions lose their last block now and then, which names rank and host; 5 also hangs
    prefix = None  # of an Open MPI that is not the system's

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(dir="/dev/shm")  # a host may have no /tmp
        cls.addClassCleanup(cls.place.cleanup)
        cls.rig = type("Rig", (Launches,), {"folder": pathlib.Path(cls.place.name)})
        cls.addClassCleanup(cls.rig.doClassCleanups)
        cls.rig.folder.chmod(0o777)
        cls.keys = {name: cls.rig.make_keys(name) for name in ("keys", "wrong", "refusing")}
        shutil.copy(cls.keys["keys"] / "id_ed25519", cls.keys["refusing"])  # a host of the job, which lets others in
        cls.rig.hosts = Hosts(HEALTHY + len(cls.faults), cls.rig.folder)
        cls.addClassCleanup(cls.rig.hosts.close)
        for name in cls.rig.hosts.names[:HEALTHY]:
            cls.rig.start_worker(name, keys=cls.keys["keys"])
        workers = [cls.start_faulty(fault) for fault in cls.faults]
        for name in cls.rig.hosts.names:
            cls.rig.wait_until_ready(name)
        for fault, worker in zip(cls.faults, workers):
            inside = ["nsenter", "--target", str(worker.pid), "--mount", "--net", "sh", "-c", fault.after]
            subprocess.run(inside, check=True, capture_output=True)

    @classmethod
    def name_of(cls, fault):
        return cls.rig.hosts.names[HEALTHY + cls.faults.index(fault)]

    @classmethod
    def start_faulty(cls, fault):
        folder = cls.rig.folder / cls.name_of(fault)
        folder.mkdir()
        return cls.rig.start_worker(cls.name_of(fault), "env", f"TMPDIR={folder}", keys=cls.keys[fault.keys],
                                    before=fault.before.replace("FOLDER", str(folder)))

    def test_the_cause_is_told_and_its_host_alone_is_accused(self):
        for first in range(0, len(self.faults), AT_ONCE):
            beside.each(self, self.check, self.faults[first:first + AT_ONCE])

    def check(self, fault):
        name = self.name_of(fault)
        culprit = f"{NETWORK}.{name[1:]}"
        folder = self.rig.folder / name
        hosts = [f"{NETWORK}.1", culprit, f"{NETWORK}.2"]
        network = () if "--interface" in fault.options else ("--interface", f"{NETWORK}.0/24")
        words = ["launch", "--hosts", ",".join(hosts), "--port", PORT, "--keys", self.keys["keys"], *network, "--profile", "generic",
                 *fault.options, *JOB]
        environment = self.environment(fault, folder, culprit)
        for _ in range(self.tries):
            run = muster(*words, folder=folder, env=environment, timeout=100)
            self.assertEqual(run.returncode, 3, f"{fault.name}: {run.stdout}{run.stderr}")
            document = report(folder)
            reason = document["checks"][0]["reason"]
            if not (fault.blames_host and "on one of 3 hosts" in reason or "it told no cause" in reason or "did not end within" in reason):
                break
        for words in fault.says:
            self.assertIn(words, reason, fault.name)
        accused = {verdict["labels"].get("host") for verdict in document["checks"][0]["verdicts"] if verdict["fault"] == "launch_failed"}
        right = [{culprit}, {name}] if fault.blames_host else [set()]
        self.assertIn(accused, [*right, set()] if fault.may_name_nobody else right, f"{fault.name}: {reason}")
        if fault.blames_host:
            self.assertNotRegex(reason, rf"\b({re.escape(NETWORK)}\.[12]|h[12])\b", fault.name)

    def environment(self, fault, folder, culprit):
        """With an mpirun and an ssh of the fault's own before all others in PATH."""
        own = folder / "bin"
        own.mkdir()
        script(own / "mpirun", f"mapfile -t words < <(printf '%s\\n' \"$@\" | sed -e '{fault.edit}')\nexec {self.mpirun} \"${{words[@]}}\"")
        script(own / "ssh", f"case \" $* \" in *' {culprit} '*) exec /usr/bin/ssh {fault.ssh} \"$@\" ;; esac\nexec /usr/bin/ssh \"$@\"")
        return ENVIRONMENT | {"TMPDIR": str(folder), "PATH": f"{own}:{os.environ['PATH']}"} | {
            variable: value.replace("FOLDER", str(folder)) for variable, value in fault.environment.items()}


def script(file, text):
    file.write_text(f"#!/bin/bash\n{text}\n")
    file.chmod(0o755)


class FailuresOfOpenMpi5(Failures):
    """Installed by pip before this process leaves the machine's network."""

    faults = ()

    def setUp(self):
        if not self.prefix:
            self.skipTest("pip brings no Open MPI 5 here" if IS_WHOLE else "Open MPI 5 is tested with --all")


class DaemonOfVersion5(FailuresOfOpenMpi5):
    """On one host, of an mpirun of version 4."""

    mpirun = Failures.mpirun


def bring_open_mpi_5(folder):
    place = open_mpi_5.install(folder)
    if place:
        FailuresOfOpenMpi5.prefix = place
        FailuresOfOpenMpi5.mpirun = f"env {variables_of(place)} {place}/bin/mpirun"
        FailuresOfOpenMpi5.faults = of_open_mpi_5(place)
        DaemonOfVersion5.faults = of_version_5_on_the_host(place)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as wheel:
        if IS_WHOLE:
            bring_open_mpi_5(wheel)
        if not (PROGRAM.exists() and possible()):
            print("skipped: needs Open MPI, and the right to make network namespaces")
            sys.exit(77)
        beside.main(1)
