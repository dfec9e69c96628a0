# SPDX-License-Identifier: Apache-2.0
"""disk_peers on a RAID0 of eight NVMe drives of a virtual machine, all throttled alike, and on one with a drive of half the speed."""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guest_drives import DRIVE, Drive  # noqa: E402
from guests import InGuests, missing  # noqa: E402
from muster import BIN, accused, report  # noqa: E402

BYTES_PER_SECOND = 8 << 20
READS_PER_SECOND = 400  # of less than that share of bytes
SLOW = 8  # the number of the drive
LOADED = 100  # reads a second that are asked of the array as a whole

OPENED = re.compile(r'(?:open(?:at|at2)?|creat)\((?:[^",]*, )?"([^"]*)", ([^)\n]*)')
READS = re.compile(r"\bO_RDONLY\b(?!.*O_CREAT)")
REPORT = re.compile(r"^(\./|/tmp/)\.muster-[0-9a-f]{16}$|^/dev/(null|tty)$")


def throttled(share):
    return Drive(throttling=f"bps-total={int(share * BYTES_PER_SECOND)},iops-total={int(share * READS_PER_SECOND)}")


SCRIPT = f"""
cd /tmp || exit 1
{DRIVE}
array() {{ # N...: of these drives
  local members=()
  for number; do members+=("$(drive $number)"); done
  mdadm --create /dev/md0 --run --level=0 --chunk=64 --raid-devices=$# "${{members[@]}}" || exit 1
  mkfs.ext4 -q -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 /dev/md0 && mount /dev/md0 /scratch || exit 1
}}
look() {{ # NAME COMMAND...
  "${{@:2}}" --report "$1.json"
  echo $? >"/job/$1.exit"
  ls -A /scratch | grep muster >"/job/$1.left"
  cp "$1.json" /job
}}
traced() {{ # NAME OPTION...: what a run opens
  strace -f --seccomp-bpf -o "/job/$1.strace" -e trace=open,openat,openat2,creat '{BIN / "muster-disk-peers"}' "${{@:2}}" --seconds 2 --timeout 120 || exit 1
}}
raw() {{ peers "$1" --allow-raw-read; }}
written() {{ # by each drive, as it counts itself
  for drive in /sys/block/nvme*; do awk '{{ print $7 }}' "$drive/stat"; done
}}
peers() {{ look "$1" '{BIN / "muster"}' node --only disk_peers --timeout 120 --profile /job/here.json "${{@:2}}"; }}
mkdir /scratch
array 0 1 2 3 4 5 6 7
peers healthy
raw raw_array
umount /scratch && mdadm --stop /dev/md0 && wipefs -qa "$(drive 5)" || exit 1
array 0 1 2 3 4 {SLOW} 6 7
peers slow
traced file --path /scratch
look array '{BIN / "muster-disk-io"}' --path /scratch --size 64M --seconds 4 --reads-per-second {LOADED} --profile /job/here.json
umount /scratch || exit 1
before=$(written)
raw raw
[ "$before" = "$(written)" ] && touch /job/nothing_written
traced raw --allow-raw-read
mdadm --stop /dev/md0 || exit 1
raw no_array
look lost '{BIN / "muster-disk-peers"}' --allow-raw-read --seconds 10 &
sleep 5
echo 1 >"/sys/class/nvme/$(basename "$(drive 2)" n1)/device/remove"
wait $!
mdadm --create /dev/md0 --run --assume-clean --metadata=1.2 --level=1 --raid-devices=2 "$(drive 0)" "$(drive 1)" || exit 1
mkfs.ext4 -q /dev/md0 && mount /dev/md0 /scratch || exit 1
look mirror '{BIN / "muster-disk-peers"}' --path /scratch
umount /scratch && mdadm --stop /dev/md0 || exit 1
array 3 4 6 7
look lost_member '{BIN / "muster-disk-peers"}' --path /scratch --seconds 10 &
sleep 7
echo 1 >"/sys/class/nvme/$(basename "$(drive 4)" n1)/device/remove"
wait $!
"""


class EightDrives(InGuests):
    SECONDS = 400
    ALONE = True
    SCRIPT = SCRIPT
    FILES = {"here.json": f"""{{ "name": "here", "description": "An array of a virtual machine", "extends": "generic",
        "scratch_mounts": ["/scratch", "/nowhere"], "expectations": [{{ "check": "disk_io", "metric": "disk_io.rate",
            "labels": {{ "pattern": "data_loader" }}, "bound": "at_least", "unit": "Hz", "pass": {0.95 * LOADED}, "fail": {0.9 * LOADED},
            "fault": "disk_slow", "tier": "quick", "source": "this test", "date": "2026-11-24" }}] }}"""}
    DRIVES = tuple(throttled(0.5 if number == SLOW else 1) for number in range(9))

    def look(self, name):
        """The exit code and the report of one run; nothing of it is left on the disk."""
        self.assertTrue((self.folder / f"{name}.json").exists(), self.said)
        self.assertEqual((self.folder / f"{name}.left").read_text(), "", self.said)
        return int((self.folder / f"{name}.exit").read_text()), report(self.folder, f"{name}.json")

    def facts(self, document, metric, label=None):
        """The value or a label of each by serial number, of the first look."""
        return {fact["labels"]["serial"]: fact["labels"].get(label) if label else fact["value"]["value"]
                for fact in document["checks"][0]["measurements"] if fact["metric"] == f"disk_peers.{metric}"}

    def test_drives_of_one_speed_are_not_accused_and_each_is_proven_to_answer_itself(self):
        code, document = self.look("healthy")
        self.assertEqual((code, accused(document)), (0, set()), self.said)
        drives = {f"drive{number}" for number in range(8)}
        for metric in ("bandwidth", "rate"):
            self.assertEqual(self.facts(document, metric).keys(), drives)
        for share in self.facts(document, "through_device").values():
            self.assertAlmostEqual(share, 1, delta=0.02)

    def test_the_drive_of_half_the_speed_is_named(self):
        code, document = self.look("slow")
        self.assertEqual((code, accused(document, "serial")), (1, {("drive_slow", f"drive{SLOW}")}), self.said)
        for metric in ("bandwidth", "rate"):
            rates = self.facts(document, metric)
            others = [rate for serial, rate in rates.items() if serial != f"drive{SLOW}"]
            self.assertLess(rates[f"drive{SLOW}"], 0.7 * min(others))

    def test_the_array_as_a_whole_does_what_is_asked_and_does_not_tell(self):
        code, document = self.look("array")
        self.assertEqual((code, accused(document)), (0, set()), self.said)
        passed = [verdict["metric"] for verdict in document["checks"][0]["verdicts"] if verdict["status"] == "pass"]
        self.assertIn("disk_io.rate", passed)

    def test_nothing_but_its_own_file_is_opened_to_write_and_no_whole_drive(self):
        for name, own in (("file", ["/scratch"]), ("raw", [])):
            opened = OPENED.findall((self.folder / f"{name}.strace").read_text())
            self.assertEqual([path for path, flags in opened if not READS.search(flags) and not REPORT.search(path)], own)
            self.assertEqual(sum(path.startswith("/dev/nvme") for path, _ in opened), 9 if name == "raw" else 0)

    def test_an_array_whose_drives_cannot_be_told_apart_is_unknown(self):
        code, document = self.look("mirror")
        self.assertEqual(code, 3)
        self.assertIn(("disk_not_measured", "/scratch"), accused(document, "path"))

    def test_drives_in_no_array_are_no_peers_of_those_in_it(self):
        code, document = self.look("raw_array")
        self.assertEqual((code, accused(document)), (0, set()), self.said)
        self.assertEqual(len(self.facts(document, "rate")), 9)
        self.assertEqual(self.facts(document, "rate", "holds")[f"drive{SLOW}"], "nothing")

    def test_drives_in_no_array_of_which_nobody_knows_how_full_they_are_accuse_nobody(self):
        code, document = self.look("no_array")
        self.assertEqual((code, accused(document)), (0, set()), self.said)
        self.assertRegex(self.facts(document, "rate", "holds")[f"drive{SLOW}"], r"^data in .* % of /dev/nvme\dn1$")

    def test_raw_reads_name_the_drive_of_half_the_speed_and_write_nothing(self):
        code, document = self.look("raw")
        self.assertEqual((code, accused(document, "serial")), (1, {("drive_slow", f"drive{SLOW}")}), self.said)
        for share in self.facts(document, "through_device").values():
            self.assertAlmostEqual(share, 1, delta=0.02)
        self.assertTrue((self.folder / "nothing_written").exists(), self.said)

    def test_the_drive_of_an_array_that_cannot_be_read_is_named(self):
        code, document = self.look("lost_member")
        self.assertEqual(code, 1)
        failed = {each for each in accused(document, "path", "serial") if each[0] == "disk_io_error"}
        self.assertEqual(failed, {("disk_io_error", "/scratch", None), ("disk_io_error", None, "drive4")}, self.said)

    def test_a_drive_that_is_lost_meanwhile_is_named(self):
        code, document = self.look("lost")
        self.assertEqual(code, 1)
        self.assertIn(("disk_io_error", "drive2"), accused(document, "serial"), self.said)


if __name__ == "__main__":
    if missing() or not (BIN / "muster-disk-peers").exists():
        print("skipped: needs liburing, libnvme and", *missing())
        sys.exit(77)
    unittest.main()
