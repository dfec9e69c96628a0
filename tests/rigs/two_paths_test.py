# SPDX-License-Identifier: Apache-2.0
"""A drive with two controllers beside others, with and without the kernel's multipath of NVMe: it is one drive for inventory,
nvme_health, disk_peers and muster scratch."""
import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guest_drives import Drive  # noqa: E402
from guests import missing  # noqa: E402
from muster import BIN, report  # noqa: E402
from scratch_machine import Machine  # noqa: E402

THROTTLING = "bps-total=8388608,iops-total=400"  # of each alike, whatever the emulator can
# Two paths, one that might have more, and drives with a single controller by itself.
DRIVES = tuple(Drive(throttling=THROTTLING, paths=paths) for paths in (2, 1, 0, 0, 0, 0))
SERIALS = [f"drive{number}" for number in range(len(DRIVES))]
CONTROLLERS = sorted([*SERIALS, "drive0"])  # by their serial numbers, which those of one drive share

PROFILE = json.dumps({
    "name": "here", "description": "Drives of a virtual machine", "extends": "generic", "scratch_mounts": ["/mnt/scratch"], "expectations": [
        {"check": check, "metric": f"{check}.drive_count", "bound": "equals", "value": len(DRIVES), "tier": "preflight",
         "fault": "nvme_missing", "source": "this test", "date": "2026-11-28"} for check in ("inventory", "nvme_health")]})
LOOK = f"""
look() {{ # NAME CHECKS OPTION...
  '{BIN / "muster"}' node --only "$2" --timeout 120 --profile /job/here.json --report "$1.json" "${{@:3}}"
  echo $? >"/job/$1.exit"
  cp "$1.json" /job
}}
ls /sys/class/block >/job/blocks
"""


class TwoPaths(Machine):
    DRIVES = DRIVES
    DRIVE_BYTES = 512 << 20
    FILES = {"here.json": PROFILE}

    def look(self, name):
        """The facts of a run that accuses nobody."""
        self.assertTrue((self.folder / f"{name}.json").exists(), self.said)
        checks = report(self.folder, f"{name}.json")["checks"]
        found = [verdict for check in checks for verdict in check["verdicts"] if verdict["status"] in ("fail", "warn", "unknown")]
        self.assertEqual(((self.folder / f"{name}.exit").read_text(), found), ("0\n", []), self.said)
        return [fact for check in checks for fact in check["measurements"]]

    def expect_facts(self, facts, metric, label, owners):
        """As many as there are owners."""
        self.assertEqual(sorted(fact["labels"][label] for fact in facts if fact["metric"] == metric), sorted(owners), metric)

    def expect_one_drive(self):
        facts = self.look("healthy")
        counts = [fact["value"]["value"] for fact in facts if fact["metric"].endswith(".drive_count")]
        self.assertEqual(counts, [len(DRIVES)] * 2)
        for metric in ("drive_model", "drive_firmware"):
            self.assertEqual(sum(fact["metric"] == f"inventory.{metric}" for fact in facts), len(DRIVES), metric)
        for metric in ("model", "firmware"):
            self.expect_facts(facts, f"nvme_health.{metric}", "serial", SERIALS)
        for metric in ("state", "namespaces", "numa_node", "smart", "critical_warning", "power_on_time"):
            self.expect_facts(facts, f"nvme_health.{metric}", "serial", CONTROLLERS)

    def expect_compared(self, name, serials):
        """Each once, as fast as the others, and by what it counted itself."""
        facts = self.look(name)
        for metric in ("bandwidth", "rate"):
            self.expect_facts(facts, f"disk_peers.{metric}", "serial", serials)
        through = [fact["value"] for fact in facts if fact["metric"] == "disk_peers.through_device"]
        self.assertEqual(len(through), 2 * len(serials))
        for share in through:
            self.assertAlmostEqual(share["value"], 1, delta=0.02)

    def blocks(self):
        return [name for name in (self.folder / "blocks").read_text().split() if name.startswith("nvme")]

    def drives_of(self, status, serial):
        return [drive for drive in status["drives"] if drive["serial"] == serial]


class WithMultipath(TwoPaths):
    @classmethod
    def prepare(cls):
        cls.start(LOOK + """
look healthy inventory,nvme_health
look raw disk_peers --allow-raw-read
scratch dry --dry-run
scratch real --drives 6
look array disk_peers
echo kept >/mnt/scratch/file && sync /mnt/scratch/file
for controller in /sys/class/nvme/*; do
  if [[ $(<"$controller/serial") =~ ^drive0 ]]; then break; fi
done
echo 1 >"$controller/device/remove"
echo 3 >/proc/sys/vm/drop_caches
cat /mnt/scratch/file >/job/file
look one_left inventory,nvme_health
scratch one_left_too --drives 6
""", "nvme_core.multipath=Y")
        cls.before = cls.digests()
        cls.start("scratch without", "nvme_core.multipath=N")
        cls.after = cls.digests()

    def test_the_kernel_joins_the_paths(self):
        self.assertEqual(len([name for name in self.blocks() if re.fullmatch(r"nvme\d+c\d+n1", name)]), 3, self.blocks())
        self.assertEqual(len([name for name in self.blocks() if re.fullmatch(r"nvme\d+n1", name)]), len(DRIVES), self.blocks())

    def test_it_is_one_drive_and_healthy(self):
        self.expect_one_drive()

    def test_it_is_compared_once(self):
        self.expect_compared("raw", SERIALS)
        self.expect_compared("array", SERIALS)

    def test_it_is_taken_once(self):
        status, _ = self.expect("dry", 0, "planned", "6 drives will be one array")
        self.assertEqual(sorted(drive["serial"] for drive in status["drives"]), SERIALS)
        status, drives = self.expect("real", 0, "mounted", "6 drives is mounted")
        self.assertEqual({decision for decision, _ in drives.values()}, {"ours"})
        self.assertEqual(len(status["array"]["members"]), len(DRIVES))

    def test_by_one_of_its_controllers_it_is_the_same_drive(self):
        facts = self.look("one_left")
        self.assertEqual([fact["value"]["value"] for fact in facts if fact["metric"].endswith(".drive_count")], [len(DRIVES)] * 2)
        self.expect_facts(facts, "nvme_health.state", "serial", SERIALS)
        self.expect("one_left_too", 0, "mounted")
        self.assertEqual((self.folder / "file").read_text(), "kept\n")

    def test_an_array_that_has_it_is_left_alone_without_multipath(self):
        status, _ = self.expect("without", 1, "stopped", "two paths lead to it")
        self.assertEqual([drive["decision"] for drive in self.drives_of(status, "drive0")], ["refuse"] * 2)
        self.assertEqual(self.before, self.after)


class WithoutMultipath(TwoPaths):
    @classmethod
    def prepare(cls):
        cls.before = cls.digests()
        cls.start(LOOK + """
look healthy inventory,nvme_health
look raw disk_peers --allow-raw-read
scratch dry --dry-run
scratch six --drives 6
scratch real
""", "nvme_core.multipath=N")
        cls.after = cls.digests()

    def test_the_kernel_has_a_device_for_each_path(self):
        self.assertEqual(len(self.blocks()), len(CONTROLLERS), self.blocks())

    def test_it_is_one_drive_and_healthy(self):
        self.expect_one_drive()

    def test_it_is_compared_once(self):
        self.expect_compared("raw", SERIALS)

    def test_both_its_paths_are_refused_by_name_and_the_others_are_taken(self):
        for name, code, state in (("dry", 0, "planned"), ("six", 1, "stopped"), ("real", 0, "mounted")):
            with self.subTest(name):
                status, drives = self.expect(name, code, state)
                two = self.drives_of(status, "drive0")
                self.assertEqual([drive["decision"] for drive in two], ["refuse"] * 2)
                for drive, other in zip(two, reversed(two)):
                    self.assertIn(f"is the same drive as {other['name']}: two paths lead to it", drive["reason"])
                del drives["0"]
                self.assertEqual({decision for decision, _ in drives.values()}, {"ours" if name == "real" else "take"})
                self.assertEqual(len(status["drives"]), len(CONTROLLERS))
        self.assertIn("6 empty drives are wanted and there are 5", (self.folder / "six.txt").read_text())

    def test_nothing_on_it_changes(self):
        changed = [number for number, (before, after) in enumerate(zip(self.before, self.after)) if before != after]
        self.assertEqual(changed, [1, 2, 3, 4, 5])


if __name__ == "__main__":
    if missing() or not all((BIN / f"muster-{name}").exists() for name in ("scratch", "nvme-health", "disk-peers")):
        print("skipped: needs libblkid, libnvme, liburing and", *missing())
        sys.exit(77)
    unittest.main()
