# SPDX-License-Identifier: Apache-2.0
"""disk_io on a drive of a virtual machine below which the kernel's device mapper delays, corrupts and fails what it is asked."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guest_drives import Drive  # noqa: E402
from guests import InGuests, missing  # noqa: E402
from muster import BIN, accused, report  # noqa: E402

READS_PER_SECOND = 300
DELAY_SECONDS = 0.2
UNMEASURED = {("check_error", None), ("could_not_measure", None)}


def expectation(**fields):
    return {"check": "disk_io", "tier": "quick", "source": "this test", "date": "2026-11-23", **fields}


PROFILE = json.dumps({"name": "here", "description": "A drive of a virtual machine", "extends": "generic", "expectations": [
    expectation(metric="disk_io.rate", labels={"pattern": "data_loader"}, bound="at_least", unit="Hz",
                **{"pass": 0.9 * READS_PER_SECOND, "fail": 0.5 * READS_PER_SECOND}, fault="disk_slow"),
    expectation(metric="disk_io.latency", labels={"pattern": "data_loader", "percentile": "p99.9"}, bound="at_most", unit="s",
                **{"pass": 0.7 * DELAY_SECONDS, "fail": 0.9 * DELAY_SECONDS}, fault="disk_latency_high")]})
MOUNTED = json.dumps({"name": "mounted", "description": "The same", "extends": "generic", "scratch_mounts": ["/disk"], "expectations": []})
NOBODY = 65534
QUOTA = f"""# Lets that user have 10 MiB on the disk: quotactl(2).
import ctypes, struct, sys
Q_SETQUOTA, USRQUOTA, QIF_BLIMITS = 0x800008, 0, 1
limits = struct.pack("=8QI4x", 10240, 10240, 0, 0, 0, 0, 0, 0, QIF_BLIMITS)
sys.exit(ctypes.CDLL(None).quotactl(Q_SETQUOTA << 8 | USRQUOTA, b"/dev/mapper/below", {NOBODY}, limits) != 0)
"""
SCRIPT = f"""
cp /job/*.json /tmp && cd /tmp || exit 1
device=/dev/nvme0n1
sectors=$(blockdev --getsz $device)
below() {{ # TARGET...: what the file system lies on from now on
  dmsetup suspend --noflush below && dmsetup load below --table "0 $sectors $*" && dmsetup resume below
}}
look() {{ # NAME COMMAND...: a run by a command before the check's name
  "${{@:2}}" '{BIN / "muster-disk-io"}' --path /disk --size 64M --seconds 4 --reads-per-second {READS_PER_SECOND} \\
    --profile ./here.json --report "$1.json"
  echo $? >"/job/$1.exit"
  ls -A /disk >"/job/$1.left"
  cp "$1.json" /job
}}
dmsetup create below --table "0 $sectors linear $device 0" && dmsetup mknodes || exit 1
mkfs.ext4 -q -O quota -E lazy_itable_init=0,lazy_journal_init=0 /dev/mapper/below && mkdir /disk || exit 1
mount -o errors=continue,usrquota /dev/mapper/below /disk || exit 1
rmdir /disk/lost+found
look healthy
'{BIN / "muster-disk-io"}' --path /job --size 64M --seconds 1 --timeout 100 --report unproven.json
echo $? >/job/unproven.exit
ls -A /job | grep '^[.]muster' >/job/unproven.left
cp unproven.json /job
below delay $device 0 {int(1000 * DELAY_SECONDS)} $device 0 0
look delayed
{{ sleep 2; dmsetup suspend --nolockfs --noflush below; sleep 20; dmsetup resume below; }} &
began=$SECONDS
'{BIN / "muster"}' node --only disk_io --profile ./mounted.json --timeout 5 --report hung.json
echo $? >/job/hung.exit
echo $((SECONDS - began)) >/job/hung.seconds
wait
ls -A /disk >/job/hung.left
cp hung.json /job
below flakey $device 0 0 1 5 corrupt_bio_byte 2000 r 0 0
look corrupted
below linear $device 0
python3 /job/quota.py || exit 1
chmod a+w /disk /tmp
look quota setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups
fallocate -l 400M /disk/filler || exit 1
look full
rm /disk/filler
mount -o remount,ro /disk
look read_only
mount -o remount,rw /disk
{{ sleep 2; below error; }} &
look failed
"""


class FaultsBelow(InGuests):
    SECONDS = 300
    ALONE = True
    SCRIPT = SCRIPT
    FILES = {"here.json": PROFILE, "mounted.json": MOUNTED, "quota.py": QUOTA}
    DRIVES = (Drive(),)

    def look(self, name):
        """The exit code and the report of one run; nothing of it is left on the disk."""
        self.assertTrue((self.folder / f"{name}.json").exists(), self.said)
        self.assertEqual((self.folder / f"{name}.left").read_text(), "filler\n" if name == "full" else "", self.said)
        return int((self.folder / f"{name}.exit").read_text()), report(self.folder, f"{name}.json")

    def values(self, document, metric, **labels):
        return [fact["value"] for fact in document["checks"][0]["measurements"]
                if fact["metric"] == f"disk_io.{metric}" and labels.items() <= fact["labels"].items()]

    def test_a_healthy_drive_is_not_accused(self):
        code, document = self.look("healthy")
        self.assertEqual((code, accused(document)), (0, set()), self.said)

    def test_without_a_block_device_nothing_is_proven(self):
        code, document = self.look("unproven")
        self.assertEqual((code, accused(document, "path")), (3, {("measurement_unusable", "/job")}), self.said)

    def test_a_delay_is_named_although_the_rate_is_kept(self):
        code, document = self.look("delayed")
        self.assertEqual((code, accused(document, "path")), (1, {("disk_latency_high", "/disk")}), self.said)
        rate, = self.values(document, "rate", pattern="data_loader")
        self.assertGreater(rate["value"], 0.9 * READS_PER_SECOND)

    def test_a_disk_that_answers_no_more_is_named_in_time(self):
        code, document = self.look("hung")
        self.assertEqual(code, 3, self.said)
        run = document["checks"][0]
        self.assertEqual(run["outcome"], "timed_out", run["reason"])
        self.assertIn("/disk: ", run["reason"])
        self.assertLess(int((self.folder / "hung.seconds").read_text()), 15)

    def test_silent_corruption_is_found(self):
        code, document = self.look("corrupted")
        self.assertEqual((code, accused(document, "path")), (1, {("disk_corrupts", "/disk")}), self.said)
        self.assertRegex(self.values(document, "first_wrong")[0], "^1 of 4096 bytes differ, .* found 00$")

    def test_a_disk_without_room_and_one_that_cannot_be_written_are_unknown(self):
        for name, reason in (("full", "would leave less than"), ("quota", "cannot reserve space in /disk: Disk quota exceeded"),
                             ("read_only", "Read-only file system")):
            code, document = self.look(name)
            self.assertEqual((code, accused(document, "path")), (3, {("disk_not_measured", "/disk"), *UNMEASURED}), self.said)
            self.assertIn(reason, self.values(document, "path")[0])

    def test_a_drive_that_fails_meanwhile_is_named(self):
        code, document = self.look("failed")
        self.assertEqual(code, 1, self.said)
        self.assertEqual(accused(document, "path"), {("disk_io_error", "/disk"), ("disk_not_measured", "/disk"), *UNMEASURED})
        self.assertRegex(self.values(document, "path")[0], "^(a (read|write) of .*|fdatasync) failed: Input/output error$")


if __name__ == "__main__":
    if missing() or not (BIN / "muster-disk-io").exists():
        print("skipped: needs liburing, libnvme and", *missing())
        sys.exit(77)
    unittest.main()
