# SPDX-License-Identifier: Apache-2.0
"""An installation of muster whose checks are this test's own, and the processes that its runs leave."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import uuid

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, SOURCE  # noqa: E402

MARK = "MUSTER_RIG"
DATED = {"tier": "preflight", "source": "this test", "date": "2026-11-21"}
EXPECTATIONS = [
    {"check": "limits", "metric": "limits.open_files", "bound": "at_least", "unit": "1", "pass": 2, "fail": 1,
     "fault": "open_files_too_low", **DATED},
    {"check": "inventory", "metric": "inventory.cpus_offline", "bound": "equals", "value": 0,
     "fault": "cpu_offline", **DATED},
]


class Installation:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.bin = self.folder / "bin"
        self.bin.mkdir(parents=True)
        share = self.folder / "share/muster"
        share.mkdir(parents=True)
        (share / "profiles").symlink_to(SOURCE / "healthcheck/profiles")
        (share / "faults.json").symlink_to(SOURCE / "healthcheck/faults.json")
        self.checks = []
        self.metrics = json.loads((SOURCE / "healthcheck/metrics.json").read_text())
        self.profile = self.folder / "rig.json"
        self.expect(*EXPECTATIONS)
        library = self.folder / "lib/muster"
        library.mkdir(parents=True)
        (library / "libmuster.so").symlink_to(BIN.parent / "lib/muster/libmuster.so")
        place(BIN / "muster", self.bin / "muster")

    def expect(self, *expectations):
        """What the profile of these runs expects; checks that are not in the installation would fail."""
        self.profile.write_text(json.dumps({"name": "rig", "description": "Checks of a test",
                                            "expectations": expectations}))
        known = {metric["metric"] for metric in self.metrics}
        self.metrics += [{"metric": each["metric"], "unit": each.get("unit", "B/s"), "meaning": "Of a test",
                          **({"better": "higher"} if each["bound"] == "peers" else {})}
                         for each in expectations if each["metric"] not in known]
        (self.folder / "share/muster/metrics.json").write_text(json.dumps(self.metrics))

    def describe(self, name, resources=(), seconds=0.1, prepares=False):
        self.checks.append({"name": name, "summary": name, "scope": "once", "resources": list(resources),
                            "tier": "preflight", "typical_seconds": seconds, "reads_tree_only": True,
                            "prepares": prepares})
        (self.bin / "checks.json").write_text(json.dumps(self.checks))
        return self.bin / ("muster-" + name.replace("_", "-"))

    def script(self, name, text, **description):
        """A check that is a shell script; $report is where its report must go, $turn what is locked until its turn."""
        file = self.describe(name, **description)
        options = 'while [ $# -gt 0 ]; do [ "$1" = --report ] && report=$2; [ "$1" = --turn ] && turn=$2; shift; done'
        file.write_text(f"#!/bin/sh\n{options}\n{text}\n")
        file.chmod(0o755)

    def real(self, name, **description):
        place(BIN / ("muster-" + name.replace("_", "-")), self.describe(name, **description))

    def template(self, name, **fields):
        """A file that holds the valid report of a check with these fields of its run changed."""
        file = self.folder / f"{name}.json"
        subprocess.run([BIN / "muster-limits", "--quiet", "--profile", "generic", "--report", file], check=False)
        document = json.loads(file.read_text())
        runs = [run for run in document["checks"] if run["check"] == "limits"]
        runs[0].update({"check": name, **fields})
        if "measurements" in fields:
            for verdict in runs[0]["verdicts"]:
                verdict.pop("value", None)  # of what the run no longer says
        if fields.get("outcome") == "running":  # and so not judged
            runs[0].update({"verdicts": [], "status": "unknown"})
            document["status"] = "unknown"
        document["checks"], document["selection"]["only"] = runs, [name]
        file.write_text(json.dumps(document))
        return file

    def start(self, *arguments, **options):
        return Run(self, *arguments, **options)


class Run:
    """One `muster node` in a folder of its own; its processes carry a mark in their environment."""

    def __init__(self, installation, *arguments, folder, **options):
        self.mark = f"{MARK}={uuid.uuid4()}"
        self.folder = pathlib.Path(folder)
        self.report = self.folder / "muster-report.json"
        self.started = time.monotonic()
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        command = [installation.bin / "muster", "node", "--profile", installation.profile, "--lock", self.folder / "lock",
                   *map(str, arguments)]
        environment = {**os.environ, **dict([self.mark.split("=")])}
        self.process = subprocess.Popen(command, cwd=self.folder, env=environment, **options)

    def ended(self):
        """Waits; the lines on stderr, then those on stdout, and the seconds that it took."""
        table, progress = self.process.communicate()
        return ((progress or b"") + (table or b"")).decode().splitlines(), time.monotonic() - self.started

    def alive(self):
        """Processes of this run: {pid: name}."""
        return {pid: name for pid, name in map(named, pids()) if self.mark in environment(pid)}

    def gone_within(self, seconds):
        end = time.monotonic() + seconds
        while self.alive():
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def clear(self):
        """Leaves nothing behind, even where muster did."""
        for pid in self.alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def kill(self, victim):
        """SIGKILL for muster itself, or for the first guard or child there is."""
        if victim == "muster":
            self.process.kill()
            return
        for pid, name in self.alive().items():
            if (name == "muster-guard") == (victim == "guard") and pid != self.process.pid:
                os.kill(pid, signal.SIGKILL)
                return


def place(source, target):
    """A link where the file system allows one: programs find their installation by their own path."""
    try:
        os.link(source.resolve(), target)
    except OSError:
        shutil.copy2(source, target)


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def read(pid, name):
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def named(pid):
    return pid, read(pid, "comm").strip()


def environment(pid):
    """Empty for a process that has ended, zombies included."""
    return read(pid, "environ").split("\0")
