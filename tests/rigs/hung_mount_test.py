# SPDX-License-Identifier: Apache-2.0
"""A file system whose server answers nothing, as that of a network does: the check that waits for it is ended and named, and the
disk beside it is measured."""
import ctypes
import json
import os
import pathlib
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from muster import BIN, muster, node, report  # noqa: E402

NEW_MOUNTS = 0x20000  # CLONE_NEWNS of sched.h
PRIVATE, BIND, DETACH = (1 << 18) | (1 << 14), 1 << 12, 2  # MS_PRIVATE | MS_REC, MS_BIND and MNT_DETACH of mount(2)

libc = ctypes.CDLL(None, use_errno=True)


def forbidden():
    """Why nothing can be mounted here; empty in a mount namespace of this process."""
    if libc.unshare(NEW_MOUNTS) or libc.mount(b"none", b"/", None, PRIVATE, None):
        return os.strerror(ctypes.get_errno())
    return "" if os.access("/dev/fuse", os.R_OK | os.W_OK) else "no /dev/fuse"


def mount(source, target, kind, options, flags=0):
    if libc.mount(source, os.fsencode(target), kind, flags, options):
        raise OSError(ctypes.get_errno(), "cannot mount", str(target))


class HungMount(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(dir=BIN)
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        self.hung = self.folder / "hung"
        self.hung.mkdir()
        server = os.open("/dev/fuse", os.O_RDWR)
        mount(b"nobody", self.hung, b"fuse", f"fd={server},rootmode=40000,user_id=0,group_id=0".encode())
        self.addCleanup(libc.umount2, os.fsencode(self.hung), DETACH)
        self.addCleanup(os.close, server)  # first: then nobody waits for it any more

    @staticmethod
    def verified(run):
        """The folders whose data were read back."""
        return [fact["labels"]["path"] for fact in run["measurements"] if fact["metric"] == "disk_io.wrong_blocks"]

    def run_it(self, check, seconds, *mounts):
        (self.folder / "here.json").write_text(json.dumps({
            "name": "here", "description": "Mounts of a test", "extends": "generic", "expectations": [],
            "scratch_mounts": [str(mount) for mount in mounts]}))
        start = time.monotonic()
        run = node("--only", check, "--timeout", seconds, "--profile", "./here.json", folder=self.folder)
        self.assertEqual(run.returncode, 3)
        self.assertLess(time.monotonic() - start, seconds + 5)
        return report(self.folder)["checks"][0]

    def test_the_check_that_waits_is_ended_and_the_mount_named(self):
        for check in ("disk_io", "disk_peers"):
            run = self.run_it(check, 2, self.hung)
            self.assertEqual(run["outcome"], "timed_out", run["reason"])
            self.assertIn(f"{self.hung}: ", run["reason"])

    def test_one_that_is_named_to_a_check_alone_is_named_in_its_report_and_the_disk_beside_it_is_measured(self):
        disk = self.folder / "disk"
        disk.mkdir()
        start = time.monotonic()
        run = muster("--path", self.hung, "--path", disk, "--seconds", 1, "--timeout", 16, "--profile", "generic",
                     program="muster-disk-io", folder=self.folder)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertLess(time.monotonic() - start, 21)
        check = report(self.folder)["checks"][0]
        self.assertEqual((check["outcome"], check["reason"]), ("timed_out", "did not end within 16 s; give --timeout if it is only slow"))
        self.assertEqual(check["phase"], f"{self.hung}: looking at the file system")
        self.assertIn(f"(phase: {self.hung}: looking at the file system)", run.stdout)
        self.assertEqual(self.verified(check), [str(disk)])
        self.assertEqual(list(disk.iterdir()), [])

    def test_the_disk_beside_it_is_measured(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mount(os.fsencode(disk), disk, None, None, BIND)
        self.addCleanup(libc.umount2, os.fsencode(disk), DETACH)
        run = self.run_it("disk_io", 16, self.hung, disk)
        self.assertEqual(run["outcome"], "timed_out", run["reason"])
        self.assertIn(f"{self.hung}: ", run["reason"])
        self.assertNotIn(f"{disk}: ", run["reason"])
        self.assertEqual(self.verified(run), [str(disk)])
        self.assertEqual(list(disk.iterdir()), [])


if __name__ == "__main__":
    reason = forbidden()
    if reason or not (BIN / "muster-disk-io").exists():
        print("skipped:", reason or "needs liburing and libnvme")
        sys.exit(77)
    beside.main()
