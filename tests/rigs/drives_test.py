# SPDX-License-Identifier: Apache-2.0
"""nvme_health on the kernel's own NVMe, md and ext4: a virtual machine with a RAID0 of eight drives and a mirror of two."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guest_drives import DRIVE, Drive  # noqa: E402
from guests import InGuests, missing  # noqa: E402
from muster import BIN, report  # noqa: E402

DRIVES = 10


def profile(drives):
    return json.dumps({"name": "here", "description": "Drives of a virtual machine", "extends": "generic", "expectations": [
        {"check": "nvme_health", "metric": "nvme_health.drive_count", "bound": "equals", "value": drives, "tier": "preflight",
         "fault": "nvme_missing", "source": "this test", "date": "2026-11-23"}]})


LOOK = f"""
cd /tmp && cp /job/here.json . || exit 1
look() {{ # NAME COMMAND...: a look by a command before the check's name, such as one that takes its rights
  "${{@:2}}" '{BIN / "muster-nvme-health"}' --profile ./here.json --report "$1.json"
  echo $? >"/job/$1.exit"
  cp "$1.json" /job
}}
{DRIVE}
"""
SCRIPT = f"""
{LOOK}
members=()
for number in {{0..7}}; do members+=("$(drive $number)"); done
mirror=("$(drive 8)" "$(drive 9)")
mdadm --create /dev/md0 --run --level=0 --raid-devices=8 "${{members[@]}}" || exit 1
mdadm --create /dev/md1 --run --assume-clean --metadata=1.2 --level=1 --raid-devices=2 "${{mirror[@]}}" || exit 1
mkdir '/my data'
mkfs.ext4 -q /dev/md0 && mount -o errors=remount-ro /dev/md0 '/my data' || exit 1
look healthy
'{BIN / "muster"}' node --only nvme_health --profile ./here.json --report node.json
echo $? >/job/node.exit
cp node.json /job
look forbidden setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all
fallocate -l $(($(df --output=avail -B1 '/my data' | tail -n 1) / 100 * 99)) '/my data/filler' || exit 1
look full
rm '/my data/filler'
mount -o remount,ro '/my data'
look read_only
mount -o remount,rw '/my data'
mdadm --fail /dev/md1 "${{mirror[1]}}"
look degraded
echo 1 >/sys/fs/ext4/md0/trigger_fs_error
look failed
umount '/my data'
lost=$(basename "$(drive 3)" n1)
echo 1 >"/sys/class/nvme/$lost/device/remove"
look gone
dd if=/dev/zero of=/dev/md0 bs=1M count=64 oflag=direct
look lost
"""


class Drives(InGuests):
    SECONDS = 200
    ALONE = True

    def look(self, name):
        """The exit code of one run, and what it accuses: status, fault code and the labels that name it."""
        self.assertTrue((self.folder / f"{name}.json").exists(), self.said)
        found = {(verdict["status"], verdict["fault"],
                  *(verdict["labels"][label] for label in ("array", "serial", "mount") if label in verdict["labels"]))
                 for check in report(self.folder, f"{name}.json")["checks"] for verdict in check["verdicts"]
                 if verdict["status"] in ("fail", "warn", "unknown")}
        return int((self.folder / f"{name}.exit").read_text()), found

    def facts(self, name, metric):
        return [fact for check in report(self.folder, f"{name}.json")["checks"] for fact in check["measurements"]
                if fact["metric"] == f"nvme_health.{metric}"]

    def temperatures(self, name):
        return {round(fact["value"]["value"], 2) for fact in self.facts(name, "temperature")}


class RaidOfDrives(Drives):
    SCRIPT = SCRIPT
    FILES = {"here.json": profile(DRIVES)}
    DRIVES = (Drive(),) * DRIVES

    def test_healthy_drives_are_asked_and_not_accused_alone_or_by_node(self):
        for name in ("healthy", "node"):
            self.assertEqual(self.look(name), (0, set()), self.said)
        self.assertEqual(self.temperatures("healthy"), {49.85})
        self.assertEqual(len(self.facts("healthy", "member_state")), DRIVES)

    def test_drives_that_may_not_be_asked_are_unknown(self):
        self.assertEqual(self.look("forbidden"),
                         (3, {("unknown", "nvme_not_asked", f"drive{number}") for number in range(DRIVES)}), self.said)
        self.assertIn("Permission denied", self.facts("forbidden", "smart")[0]["value"])
        self.assertEqual(self.temperatures("forbidden"), {49.85}, "the kernel asks in their place")

    def test_a_filesystem_that_is_full_is_named(self):
        self.assertEqual(self.look("full"), (1, {("fail", "filesystem_full", "/my data")}), self.said)

    def test_a_filesystem_that_is_read_only_is_named(self):
        self.assertEqual(self.look("read_only"), (0, {("warn", "filesystem_read_only", "/my data")}), self.said)

    def test_a_member_that_failed_is_named(self):
        self.assertEqual(self.look("degraded"),
                         (1, {("fail", "raid_degraded", "md1"), ("fail", "raid_degraded", "md1", "drive9")}), self.said)

    def test_a_filesystem_that_met_an_error_is_named(self):
        code, found = self.look("failed")
        self.assertEqual(code, 1, self.said)
        self.assertIn(("fail", "filesystem_failed", "/my data"), found)

    def test_a_drive_that_is_gone_is_named_before_its_array_is_used(self):
        code, found = self.look("gone")
        self.assertEqual(code, 1, self.said)
        self.assertEqual(found, {("fail", "nvme_missing"), ("fail", "raid_degraded", "md0"), ("fail", "raid_degraded", "md1"),
                                 ("fail", "raid_degraded", "md1", "drive9")}, self.said)
        states = {fact["labels"]["device"]: fact["value"] for fact in self.facts("gone", "member_state")}
        self.assertEqual(sorted(states.values()), ["faulty"] + ["gone"] + ["in_sync"] * 8, states)

    def test_a_drive_that_is_lost_is_missing_and_breaks_its_array(self):
        code, found = self.look("lost")
        self.assertEqual(code, 1, self.said)
        self.assertIn(("fail", "nvme_missing"), found)
        self.assertIn(("fail", "raid_broken", "md0"), found)


class DriveThatWarns(Drives):
    SCRIPT = f"{LOOK}\nlook worn"
    FILES = {"here.json": profile(2)}
    DRIVES = (Drive(), Drive(controller="smart_critical_warning=4"))

    def test_it_is_named(self):
        self.assertEqual(self.look("worn"), (1, {("fail", "nvme_worn", "drive1")}), self.said)
        warnings = [fact["labels"].get("warns_of") for fact in self.facts("worn", "critical_warning")]
        self.assertEqual(sorted(filter(None, warnings)), ["reliability"])


if __name__ == "__main__":
    if missing() or not (BIN / "muster-nvme-health").exists():
        print("skipped: needs libnvme and", *missing())
        sys.exit(77)
    unittest.main()
