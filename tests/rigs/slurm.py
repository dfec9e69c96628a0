# SPDX-License-Identifier: Apache-2.0
"""A real Slurm for tests of healthcheck/deploy/slurm, in the name spaces of apart.sh: slurmctld, and a slurmd for each of three
nodes, each with a name, a network and local folders of its own."""
import contextlib
import json
import os
import pathlib
import socket
import unittest

from batch_system import NODES, PLACE, STATES, command, make_nodes, start, start_on, until
from muster import BIN, SOURCE, muster, report
from profiles import open_files

SCRIPTS = SOURCE / "healthcheck/deploy/slurm"
REPORTS = PLACE / "reports"
# Slurm waits for a credential to expire before a job that was requeued starts again.
CONF = f"""ClusterName=rig
SlurmctldHost=controller
SlurmUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=nohold_on_prolog_fail,bf_interval=1,sched_interval=5
StateSaveLocation={PLACE}/state
SlurmdSpoolDir={PLACE}/%n/spool
SlurmdPidFile={PLACE}/%n/pid
SlurmctldPidFile={PLACE}/pid
MailProg=/bin/true
Prolog={SCRIPTS}/prolog.sh
Epilog={SCRIPTS}/epilog.sh
PrologFlags=Alloc
BatchStartTimeout=180
NodeName=node1 NodeHostname=node1 Port=17001 CPUs=2
NodeName=node2 NodeHostname=node2 Port=17002 CPUs=2
NodeName=node3 NodeHostname=node3 Port=17003 CPUs=2
PartitionName=all Nodes=node[1-3] Default=YES
"""
# Every node reads the same settings; each has a profile of its own.
SETTINGS = f"""MUSTER_BIN="{BIN}"
MUSTER_REPORTS="{REPORTS}"
MUSTER_PROLOG_OPTIONS="--only limits --profile {PLACE}/$SLURMD_NODENAME/prolog.json"
MUSTER_EPILOG_OPTIONS="--only limits --profile {PLACE}/$SLURMD_NODENAME/epilog.json"
MUSTER_SECONDS="20"
"""
# What a slurmd has as a machine of its own: a name, local folders, and the interfaces of its network.
NODE = """
set -e
hostname {0}
for folder in /run/lock /tmp /var/lib/muster; do mount -t tmpfs memory $folder; done
mkdir /tmp/cgroup
mount --rbind /sys/fs/cgroup /tmp/cgroup
mount -t sysfs devices /sys
mount --rbind /tmp/cgroup /sys/fs/cgroup
exec slurmd -D -N {0}
"""
LOG = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)  # that of the system
GOOD, BAD = open_files(1), open_files(1e12)


def process(name, word=""):
    """The number of a process of this name that has this argument."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "comm").read_text().strip() == name and word.encode() in (folder / "cmdline").read_bytes().split(b"\0"):
                return int(folder.name)
    return None


def are_idle():
    return command("sinfo", "--noheader", "--format", "%T %D", check=False).split() == ["idle", "3"]


def start_node(node):
    start_on(node, node, NODE.format(node))


def on(node, *words):
    """Runs a program as one of a node."""
    command("nsenter", "--target", process("slurmd", node), "--mount", "--uts", "--net", *words)


def start_slurm():
    PLACE.mkdir()
    for program in ("/usr/bin/muster", "/usr/local/bin/muster"):
        pathlib.Path(program).unlink(missing_ok=True)  # here alone: some tests are about a machine without it
    for folder in (PLACE / "state", REPORTS, pathlib.Path("/etc/muster"), pathlib.Path("/var/lib/muster"), pathlib.Path("/run/munge")):
        folder.mkdir(parents=True, exist_ok=True)
    for node in NODES:
        (PLACE / node / "spool").mkdir(parents=True)
    pathlib.Path("/etc/slurm/slurm.conf").write_text(CONF)
    LOG.bind("/dev/log")
    make_nodes()
    STATES.extend((("sinfo", "-R"), ("scontrol", "show", "jobs")))
    pathlib.Path("/etc/munge/munge.key").write_bytes(os.urandom(128))
    command("chown", "munge:", "/etc/munge/munge.key", "/run/munge")
    command("chmod", "400", "/etc/munge/munge.key")
    command("setpriv", "--reuid", "munge", "--regid", "munge", "--clear-groups", "munged")
    start("slurmctld", "slurmctld", "-D")
    for node in NODES:
        start_node(node)
    until(are_idle, "no idle nodes")


class InSlurm(unittest.TestCase):
    """Tests that find the three nodes idle, and leave them so."""

    def setUp(self):
        self.set(SETTINGS)
        for node in NODES:
            self.demand(node, GOOD, GOOD)
        for path in REPORTS.iterdir():
            path.unlink()
        self.said()
        self.addCleanup(self.resume)

    def set(self, settings):
        pathlib.Path("/etc/muster/fleet.env").write_text(settings)

    def demand(self, node, prolog, epilog):
        for name, text in (("prolog", prolog), ("epilog", epilog)):
            (PLACE / node / f"{name}.json").write_text(text)

    def resume(self):
        # A job may be requeued just when it is cancelled.
        until(lambda: not command("scancel", "--user", "root") and not command("squeue", "--noheader"), "jobs did not end")
        for node in self.drained():
            command("scontrol", "update", f"nodename={node}", "state=resume")
        until(are_idle, "the nodes were not idle again")

    def submit(self, script, *options):
        """The number of a job."""
        return command("sbatch", "--parsable", "--output", PLACE / "job-%j.txt", *options, "--wrap", script).strip()

    def job(self, number, field):
        return dict(word.split("=", 1) for word in command("scontrol", "show", "job", number).split() if "=" in word).get(field)

    def await_end(self, number):
        until(lambda: self.job(number, "JobState") in ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL"), f"job {number} did not end")

    def ended(self, number):
        """Waits for the end of a job and of its epilogs, and returns the nodes it ran on."""
        self.await_end(number)
        until(lambda: "completing" not in command("sinfo", "--noheader", "--format", "%T"), "the epilogs did not end")
        self.assertEqual(self.job(number, "JobState"), "COMPLETED")
        return self.job(number, "NodeList")

    def run_job(self, *options):
        return self.ended(self.submit("hostname", *options))

    def drained(self):
        """Nodes that are, with the reason."""
        lines = command("sinfo", "--noheader", "--Node", "--states", "drain", "--format", "%N|%E").splitlines()
        return dict(line.split("|", 1) for line in lines)

    def expect_drained(self, node, words="limits.open_files of host"):
        """That node alone, with these words in the reason."""
        (name, reason), = self.drained().items()
        self.assertEqual(name, node)
        self.assertRegex(reason, f"^muster: .*{words}")

    def left(self):
        """Status by node of the reports in the shared folder."""
        return {path.stem: report(REPORTS, path.name)["status"] for path in REPORTS.glob("*.json")}

    def said(self):
        """What the scripts told the system's log since then."""
        said = b""
        with contextlib.suppress(BlockingIOError):
            while True:
                said += LOG.recv(1 << 16) + b"\n"
        return said.decode()

    def collect(self):
        run = muster("fleet", "collect", REPORTS, "--nodes", "node[1-3]", folder=PLACE)
        document = json.loads((PLACE / "muster-fleet.json").read_text())
        self.assertEqual(run.returncode, document["status"] == "fail", run.stdout + run.stderr)
        return document["status"], {node["name"]: (node["status"], node["coverage"]) for node in document["nodes"]}
