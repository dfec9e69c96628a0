# SPDX-License-Identifier: Apache-2.0
"""disk_io on this machine's own disk: what it opens, what it leaves when it is killed, and what it refuses."""
import ctypes
import errno
import os
import pathlib
import platform
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, muster, report  # noqa: E402

PROGRAM = "muster-disk-io"
SHORT = ("--size", "64M", "--seconds", "0.5", "--profile", "generic", "--quiet")
OPENED_TO_WRITE = re.compile(r'(?:open(?:at|at2)?\((?:[^,]*, )?(?="[^"]*", [^)\n]*O_(?:WRONLY|RDWR))|creat\()"([^"]*)"')


def fact(document, metric):
    return [each["value"] for each in document["checks"][0]["measurements"] if each["metric"] == f"disk_io.{metric}"]


def open_files(process):
    """What the descriptors of a process are, by name."""
    names = []
    try:
        for descriptor in pathlib.Path(f"/proc/{process}/fd").iterdir():
            names.append(os.readlink(descriptor))
    except OSError:  # one that is closed meanwhile
        pass
    return names


LOAD, KEEP, SKIP_UNLESS, ANSWER = 0x20, 0x54, 0x15, 0x06  # BPF_LD | BPF_W | BPF_ABS, BPF_ALU | BPF_AND, BPF_JMP | BPF_JEQ, BPF_RET
NUMBER, FLAGS = 0, 32  # in struct seccomp_data
ALLOWED, REFUSED = 0x7fff0000, 0x00050000  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO


def forbid(*steps):
    """A filter of seccomp(2) for this process and its children."""
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program):  # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP
        raise OSError(ctypes.get_errno(), "no filter of seccomp")


def forbid_files_without_a_name():
    """As of a file system that cannot make them."""
    openat = {"x86_64": 257, "aarch64": 56}[platform.machine()]
    forbid((LOAD, 0, 0, NUMBER), (SKIP_UNLESS, 0, 4, openat), (LOAD, 0, 0, FLAGS), (KEEP, 0, 0, os.O_TMPFILE),
           (SKIP_UNLESS, 0, 1, os.O_TMPFILE), (ANSWER, 0, 0, REFUSED | errno.EOPNOTSUPP), (ANSWER, 0, 0, ALLOWED))


def forbid_io_uring():
    """As container runtimes do."""
    io_uring_setup = 425
    forbid((LOAD, 0, 0, NUMBER), (SKIP_UNLESS, 0, 1, io_uring_setup), (ANSWER, 0, 0, REFUSED | errno.EPERM), (ANSWER, 0, 0, ALLOWED))


class OnThisDisk(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=BIN)
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.disk = self.folder / "disk"
        self.disk.mkdir()

    def run_it(self, *options, **more):
        return muster("--path", self.disk, *SHORT, *options, program=PROGRAM, folder=self.folder, **more)

    def traced(self, *options, code=0, before=None):
        """What strace saw of a run that ended with such a code, with what is called before it."""
        log = self.folder / "strace"
        run = subprocess.run(["strace", "-f", "-o", log, *options, BIN / PROGRAM, "--path", self.disk, *SHORT], cwd=self.folder,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, preexec_fn=before)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return log.read_text()

    def test_the_device_counted_what_is_claimed(self):
        run = self.run_it()
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        document = report(self.folder)
        self.assertEqual(fact(document, "path"), ["measured"])
        shares = [share["value"] for share in fact(document, "through_device")]
        self.assertEqual(len(shares), 9)
        self.assertGreaterEqual(min(shares), 0.999)
        self.assertEqual(fact(document, "wrong_blocks")[0]["value"], 0)

    def test_where_io_uring_is_forbidden_it_measures_without_and_says_so(self):
        self.traced("-e", "trace=io_uring_setup", before=forbid_io_uring)
        document = report(self.folder)
        self.assertEqual(fact(document, "engine"), ["preadv2 and pwritev2: io_uring cannot be set up: Operation not permitted"])
        self.assertGreaterEqual(min(share["value"] for share in fact(document, "through_device")), 0.999)

    def test_nothing_but_its_own_file_is_opened_to_write(self):
        written = OPENED_TO_WRITE.findall(self.traced("-e", "trace=open,openat,openat2,creat"))
        self.assertEqual([path for path in written if path.startswith(str(self.disk))], [str(self.disk)], "a file without a name")
        for path in written:
            if path != str(self.disk):
                self.assertRegex(path, r"^(\./|/tmp/)\.muster-[0-9a-f]{16}$|^/dev/(null|tty)$", "neither its file nor its report")

    def test_a_killed_run_leaves_nothing(self):
        for moment in (0, 0.3):
            run = subprocess.Popen([BIN / PROGRAM, "--path", self.disk, *SHORT], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not any(name.startswith(f"{self.disk}/") for name in open_files(run.pid)):
                self.assertIsNone(run.poll(), "it ended before it had a file")
            time.sleep(moment)
            run.send_signal(signal.SIGKILL)
            self.assertEqual(run.wait(), -signal.SIGKILL)
            self.assertEqual(list(self.disk.iterdir()), [])

    def test_where_a_file_must_have_a_name_one_that_a_killed_run_leaves_is_cleared_away_by_the_next(self):
        calls = self.traced("-e", "trace=openat,unlinkat", before=forbid_files_without_a_name)
        self.assertRegex(calls, r"O_TMPFILE.* = -1 EOPNOTSUPP ")
        self.assertRegex(calls, r'unlinkat\(AT_FDCWD, ".*/\.muster-disk-[0-9a-f]{16}", 0\) += 0')
        self.assertEqual(list(self.disk.iterdir()), [])
        self.traced("-e", "inject=unlinkat:error=EIO:signal=KILL:when=1", code=-signal.SIGKILL, before=forbid_files_without_a_name)
        left = list(self.disk.iterdir())
        self.assertEqual(len(left), 1)
        copy = self.disk / ".muster-disk-0123456789abcdef"
        shutil.copy(left[0], copy)
        (self.disk / ".muster-disk-mine").write_text("my data")
        self.assertEqual(self.run_it().returncode, 0)
        self.assertEqual(fact(report(self.folder), "stale_files")[0]["value"], 1)
        self.assertEqual(sorted(self.disk.iterdir()), [copy, self.disk / ".muster-disk-mine"])
        self.assertEqual((self.disk / ".muster-disk-mine").read_text(), "my data")

    def test_a_working_folder_that_is_on_no_disk_is_no_fault(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
            for program in (PROGRAM, "muster-disk-peers"):
                run = muster(program=program, folder=memory)
                self.assertEqual(run.returncode, 77, run.stdout + run.stderr)
                self.assertEqual(report(memory)["status"], "skip")

    def test_what_is_no_folder_is_refused(self):
        file = self.folder / "file"
        file.write_text("my data")
        for path in (file, "/dev/null", "/no such folder"):
            run = muster("--path", path, program=PROGRAM, folder=self.folder)
            self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1))
            self.assertIn(f"--path {path}: ", run.stderr)
        self.assertEqual(file.read_text(), "my data")

    def test_raw_reads_of_a_folder_are_refused(self):
        run = muster("--allow-raw-read", "--path", self.disk, program="muster-disk-peers", folder=self.folder)
        self.assertEqual((run.returncode, run.stderr.count("\n")), (2, 1))
        self.assertIn("leave out --path", run.stderr)


if __name__ == "__main__":
    if not (BIN / PROGRAM).exists():
        print("skipped: needs liburing and libnvme")
        sys.exit(77)
    unittest.main()
