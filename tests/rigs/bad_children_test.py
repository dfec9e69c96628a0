# SPDX-License-Identifier: Apache-2.0
"""Checks that hang, crash, lie or cannot start take nobody along, are named with their cause, and leave nothing."""
import contextlib
import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(__file__))
from installed import DATED, EXPECTATIONS, Installation  # noqa: E402
import beside  # noqa: E402
from muster import report  # noqa: E402

FAMILY = "setsid sh -c 'trap \"\" TERM INT HUP; while :; do sleep 1; done' &\n"
LIMIT = 2


def installation(folder, *real):
    made = Installation(folder)
    made.expect(*(wanted for wanted in EXPECTATIONS if wanted["check"] in real))
    return made


def bad_installation(folder):
    made = Installation(folder)
    hung = made.template("hangs_in_a_phase", outcome="running", phase="copying", reason="")
    middle = made.template("exits_in_the_middle", outcome="running", phase="copying", reason="")
    other = made.template("limits_of_another", outcome="finished")
    made.script("sleeps", "exec sleep 1000")
    made.script("hangs_in_a_phase", f"cp {hung} $report; exec sleep 1000")
    made.script("ignores_termination", "trap '' TERM; while :; do sleep 0.1; done")
    made.script("hangs_with_a_family", FAMILY + "wait")
    made.script("leaves_a_family", FAMILY + "exit 0")
    made.script("prints_for_ever", "exec yes words")
    made.script("crashes", f"cp {hung} $report; sed -i s/hangs_in_a_phase/crashes/g $report; kill -SEGV $$")
    made.script("prints_garbage", "head -c 4096 /dev/urandom > $report; echo 'not my day'")
    made.script("cuts_its_report", f"head -c 700 {hung} > $report")
    made.script("tells_of_another", f"cp {other} $report")
    made.script("exits_in_the_middle", f"cp {middle} $report")
    made.script("refuses", "echo 'muster-refuses: what profile?' >&2; exit 2")
    made.script("exits_strangely", "exit 42")
    made.describe("absent")
    made.describe("not_executable").write_text("#!/bin/sh\nexit 0\n")
    bad_format = made.describe("bad_format")
    bad_format.write_bytes(b"\x7fELF and then nothing that is one")
    bad_format.chmod(0o755)
    shutil.copy2(os.environ["MUSTER_LACKS_LIBRARY"], made.describe("lacks_a_library"))
    made.real("limits")
    made.real("inventory", seconds=0.2)
    return made


WANTED = {
    "sleeps": ("timed_out", "did not end within 2 s, hung, waiting for another process, for input or for a time"),
    "hangs_in_a_phase": ("timed_out", "hung in phase 'copying', waiting for another process, for input or for a time"),
    "ignores_termination": ("timed_out", "did not end within 2 s"),
    "hangs_with_a_family": ("timed_out", "did not end within 2 s"),
    "prints_for_ever": ("timed_out", "did not end within 2 s"),
    "leaves_a_family": ("error", "exited with 0 and wrote no valid report: there is none"),
    "crashes": ("crashed", r"killed by signal 11 \(Segmentation fault\) while: copying"),
    "prints_garbage": ("error", "exited with 0 and wrote no valid report: .*; its last words: not my day"),
    "cuts_its_report": ("error", "exited with 0 and wrote no valid report: "),
    "tells_of_another": ("error", "wrote no valid report: it holds no run of this check"),
    "exits_in_the_middle": ("error", "exited with 0 before it finished"),
    "refuses": ("error", "refused its options; its last words: muster-refuses: what profile"),
    "exits_strangely": ("error", "exited with 42"),
    "absent": ("not_started", r"could not be started: \S+/muster-\S+: No such file or directory"),
    "not_executable": ("not_started", r"could not be started: \S+/muster-\S+: Permission denied"),
    "bad_format": ("not_started", r"could not be started: \S+/muster-\S+: Exec format error"),
    "lacks_a_library": ("not_started", r"could not be started: error while loading shared libraries: libmissing_library"
                        r"\.so: cannot open shared object file: No such file or directory"),
}


class Rig(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        (self.folder / "scratch").mkdir()

    def start(self, made, *arguments, **options):
        run = made.start("--scratch", "scratch", *arguments, folder=self.folder, **options)
        self.addCleanup(run.clear)
        return run

    def checks(self):
        return {check["check"]: check for check in report(self.folder)["checks"]}

    def assert_nothing_left(self, run):
        self.assertEqual(run.alive(), {})
        self.assertEqual(list((self.folder / "scratch").iterdir()), [])

    def wait_for(self, **outcomes):
        """Until the report says so of these checks."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with contextlib.suppress(FileNotFoundError):
                checks = self.checks()
                if all(checks[name]["outcome"] == outcome for name, outcome in outcomes.items()):
                    return
            time.sleep(0.01)
        self.fail(f"never so: {outcomes}")


class BadChildren(Rig):
    @beside.alone
    def test_each_is_unknown_with_its_cause_while_all_others_finish(self):
        run = self.start(bad_installation(self.folder / "prefix"), "--even-if-in-use", "--timeout", LIMIT)
        lines, seconds = run.ended()
        self.assertEqual(run.process.returncode, 3, lines[-1])
        self.assertLess(seconds, LIMIT + 2)
        self.assert_nothing_left(run)
        checks = self.checks()
        for name, (outcome, reason) in WANTED.items():
            with self.subTest(name):
                self.assertEqual(checks[name]["outcome"], outcome, checks[name])
                self.assertRegex(checks[name]["reason"], reason)
                self.assertEqual(checks[name]["status"], "unknown")
                self.assertTrue(any(name in line and "UNKNOWN" in line for line in lines), lines)
        for name in ("limits", "inventory"):
            self.assertEqual(checks[name]["outcome"], "finished", checks[name])
        self.assertTrue(checks["crashes"]["measurements"], "the facts of a crashed child are lost")

    def test_a_component_that_is_slower_than_its_peers_is_measured_again(self):
        made = Installation(self.folder / "prefix")
        made.expect({"check": "gpus", "metric": "gpus.bandwidth", "bound": "peers", "noise": 0.005,
                     "fault": "host_memory_slow", **DATED})
        speeds = made.template("gpus", outcome="finished", reason="", measurements=[
            {"metric": "gpus.bandwidth", "value": {"value": speed, "unit": "B/s"}, "labels": {"gpu": str(gpu)}}
            for gpu, speed in enumerate([3.00e12, 3.01e12, 2.99e12, 3.00e12, 2.00e12])])
        made.script("gpus", f"cp {speeds} $report")
        run = self.start(made, "--even-if-in-use")
        lines, _ = run.ended()
        self.assertEqual([check["attempt"] for check in report(self.folder)["checks"]], [1, 2])
        self.assertEqual(run.process.returncode, 1, lines)
        self.assertRegex("\n".join(lines), "gpu 4")

    def changing(self, place, **options):
        """An installation of one check that is slow the first time it runs and fast the second."""
        made = Installation(self.folder / place)
        made.expect({"check": "changing", "metric": "changing.bandwidth", "bound": "at_least", "unit": "B/s", "pass": 2e9,
                     "fail": 1e9, "fault": "host_memory_slow", **DATED})
        slow, fast = (made.template("changing", outcome="finished", reason="", measurements=[
            {"metric": "changing.bandwidth", "value": {"value": speed, "unit": "B/s"}, "labels": {}}])
            .rename(made.folder / f"{speed}.json") for speed in (5e8, 5e9))
        ran = made.folder / "ran"
        made.script("changing", f"if [ -e {ran} ]; then cp {fast} $report; else touch {ran}; cp {slow} $report; fi",
                    **options)
        return made

    def test_what_failed_is_run_again_where_that_is_wanted_and_both_runs_count(self):
        run = self.start(self.changing("prefix", resources=["cpu"]), "--even-if-in-use", "--confirm")
        lines, _ = run.ended()
        self.assertEqual([(check["attempt"], check["status"]) for check in report(self.folder)["checks"]],
                         [(1, "fail"), (2, "pass")])
        self.assertEqual(run.process.returncode, 1, lines)

    def test_what_failed_runs_once_where_nobody_asks_for_more_or_nothing_is_measured(self):
        for options, arguments in (({"resources": ["cpu"]}, []), ({"resources": []}, ["--confirm"])):
            run = self.start(self.changing(f"prefix{len(arguments)}", **options), "--even-if-in-use", *arguments)
            lines, _ = run.ended()
            self.assertEqual([check["status"] for check in report(self.folder)["checks"]], ["fail"])
            self.assertEqual(run.process.returncode, 1, lines)

    def test_the_budget_ends_the_run(self):
        made = installation(self.folder / "prefix")
        for number in range(3):
            made.script(f"hangs_{number}", "exec sleep 1000", resources=["cpu"], seconds=0.5 + number / 10)
        run = self.start(made, "--even-if-in-use", "--timeout", 2, "--budget", 3)
        _, seconds = run.ended()
        self.assertLess(seconds, 3 + 2)
        checks = self.checks()
        self.assertEqual([checks[f"hangs_{number}"]["outcome"] for number in range(3)],
                         ["timed_out", "timed_out", "out_of_budget"])
        self.assertRegex(checks["hangs_1"]["reason"], "what was left of the budget")
        self.assertEqual(run.process.returncode, 3)
        self.assert_nothing_left(run)

    def test_a_guard_that_is_killed_or_stopped_costs_its_own_check_only(self):
        made = installation(self.folder / "prefix", "limits")
        made.script("hangs", FAMILY + "wait")
        made.real("limits", resources=["cpu"], seconds=1)
        for number, (sent, limit) in enumerate([(signal.SIGKILL, 20), (signal.SIGSTOP, LIMIT)]):
            run = self.start(made, "--even-if-in-use", "--timeout", limit)
            self.wait_for(hangs="running")
            time.sleep(0.3)
            guards = [pid for pid, name in run.alive().items() if name == "muster-guard"]
            self.assertTrue(guards)
            os.kill(guards[0], sent)
            _, seconds = run.ended()
            self.assertLess(seconds, LIMIT + 2 + number)
            self.assert_nothing_left(run)
            self.assertEqual(self.checks()["hangs"]["reason"], "its guard was killed")
            self.assertEqual(self.checks()["limits"]["outcome"], "finished")


class Ends(Rig):
    def test_a_signal_ends_the_run_with_a_valid_report(self):
        made = installation(self.folder / "prefix", "limits")
        made.real("limits", seconds=0)
        made.script("hangs", FAMILY + "wait", resources=["cpu"])
        made.script("waits", "exit 0", resources=["cpu"], seconds=1)
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGALRM, signal.SIGXCPU):
            run = self.start(made, "--even-if-in-use")
            self.wait_for(limits="finished", hangs="running")
            run.process.send_signal(sent)
            told = time.monotonic()
            run.ended()
            self.assertLess(time.monotonic() - told, 2)
            self.assertEqual(run.process.returncode, 3)
            self.assert_nothing_left(run)
            checks = self.checks()
            self.assertEqual([checks[name]["outcome"] for name in ("limits", "hangs", "waits")],
                             ["finished", "interrupted", "interrupted"])

    def test_a_signal_that_whoever_started_it_ignores_ends_nothing(self):
        made = installation(self.folder / "prefix", "limits")
        made.real("limits", seconds=0)
        made.script("waits", "exec sleep 3", resources=["cpu"])
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        try:
            run = self.start(made, "--even-if-in-use", "--timeout", 2)
        finally:
            signal.signal(signal.SIGHUP, before)
        self.wait_for(limits="finished", waits="running")
        run.process.send_signal(signal.SIGHUP)
        run.ended()
        self.assertEqual(self.checks()["waits"]["outcome"], "timed_out")

    def test_one_muster_at_a_time(self):
        made = installation(self.folder / "prefix")
        made.script("hangs", "exec sleep 1000")
        first = self.start(made, "--even-if-in-use", "--report", "first.json")
        time.sleep(0.5)
        second = self.start(made, "--even-if-in-use")
        second.ended()
        self.assertEqual(second.process.returncode, 3)
        self.assertEqual(self.checks()["hangs"]["outcome"], "in_use")
        self.assertEqual(self.checks()["hangs"]["reason"], f"another muster (pid {first.process.pid}) is running")
        first.process.terminate()
        first.ended()
        third = self.start(made, "--timeout", 0.1)
        third.ended()
        self.assertEqual(self.checks()["hangs"]["outcome"], "timed_out")

    @beside.alone
    def test_a_busy_machine_is_not_measured_and_its_user_is_named(self):
        made = installation(self.folder / "prefix", "limits")
        made.real("limits")
        made.script("measures", "exit 0", resources=["cpu"])
        made.script("gpus", "exit 0", resources=["gpu"])
        users = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(os.cpu_count())]
        try:
            time.sleep(0.2)
            run = self.start(made)
            run.ended()
        finally:
            for user in users:
                user.kill()
                user.wait()
        self.assertEqual(self.checks()["measures"]["outcome"], "in_use")
        self.assertRegex(self.checks()["measures"]["reason"], r"^.*\(pid \d+, \d+ % of a core\)")
        self.assertEqual(self.checks()["limits"]["outcome"], "finished")
        nvidia = [file for file in pathlib.Path("/sys/bus/pci/devices").glob("*/vendor") if file.read_text() == "0x10de\n"]
        self.assertEqual(self.checks()["gpus"]["outcome"], "in_use" if nvidia else "skipped", "it cannot run in any case")

    def test_a_terminal_shows_what_runs(self):
        made = installation(self.folder / "prefix", "limits")
        made.real("limits", seconds=0)
        made.script("hangs", "exec sleep 1000")
        ours, theirs = pty.openpty()
        run = self.start(made, "--even-if-in-use", "--timeout", 1, stderr=theirs)
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):
            while part := os.read(ours, 4096):
                text += part
        run.ended()
        self.assertRegex(text.decode(), r"\r\x1b\[Khangs \d\.\d s \| 1 of 2 done")

    def test_closed_standard_streams_do_no_harm(self):
        made = installation(self.folder / "prefix", "limits")
        made.real("limits")
        run = self.start(made, "--even-if-in-use", stdin=None, stdout=None, stderr=None,
                         preexec_fn=lambda: [os.close(number) for number in range(3)])
        run.process.wait()
        self.assertEqual(self.checks()["limits"]["outcome"], "finished", json.dumps(self.checks()))


if __name__ == "__main__":
    beside.main(4)
