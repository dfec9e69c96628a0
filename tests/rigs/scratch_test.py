# SPDX-License-Identifier: Apache-2.0
"""muster scratch on the kernel's own NVMe, md and ext4: empty drives become one file system, survive a restart, a kill and a
drive that is lost."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guest_drives import Drive  # noqa: E402
from scratch_machine import Machine, main  # noqa: E402


class EightEmptyDrives(Machine):
    DRIVES = (Drive(),) * 8

    @classmethod
    def prepare(cls):
        cls.start("""
model='Microsoft NVMe Direct Disk*'
scratch other --dry-run
model='QEMU*'
scratch dry --dry-run
scratch absent --is-mounted
scratch first --drives 8
scratch present --is-mounted
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all bash -c 'echo kept >/mnt/scratch/file' || exit 1
grep ' /mnt/scratch ' /proc/1/mountinfo >/job/mount
cat "/sys/block/$(array)/md/"{level,chunk_size,raid_disks} >/job/geometry
dumpe2fs -h "/dev/$(array)" >/job/dumpe2fs 2>&1
mdadm --detail --export "/dev/$(array)" >/job/detail
dd if=/dev/urandom of=/mnt/scratch/filler bs=1M count=32 status=none && sha256sum /mnt/scratch/filler >/job/filler || exit 1
mdadm --examine "$(drive 3)" >/job/examined
scratch again --drives 8
mdadm --examine "$(drive 3)" >/job/examined_again
place=/mnt/other
scratch elsewhere
place=/mnt/scratch
scratch nine --drives 9
""")
        cls.start("""
scratch restarted --drives 8
cat /mnt/scratch/file >/job/file
sha256sum --check /job/filler >/job/checked
stat --format %a /mnt/scratch >/job/mode
unmount
with=(unshare --mount --propagation private)
scratch private
with=()
scratch remounted
""")

    def test_of_another_model_nothing_is_taken_or_opened(self):
        _, drives = self.expect("other", 1, "stopped", "no local NVMe drive of the model")
        self.assertEqual({decision for decision, _ in drives.values()}, {"other_model"})

    def test_a_dry_run_says_it_and_does_nothing(self):
        status, drives = self.expect("dry", 0, "planned", "dry run: create: 8 drives will be one array")
        self.assertEqual(set(drives.values()), {("take", "is empty")})
        self.assertEqual(len(status["array"]["members"]), 8)
        self.expect("absent", 1, "planned")  # and so nothing was created before

    def test_they_become_one_array_with_a_file_system_for_all(self):
        status, drives = self.expect("first", 0, "mounted", "create", "format", "is mounted at /mnt/scratch")
        self.assertEqual({decision for decision, _ in drives.values()}, {"ours"})
        self.assertEqual((self.folder / "geometry").read_text().split(), ["raid0", "524288", "8"])
        mount = (self.folder / "mount").read_text()
        self.assertIn("noatime", mount)
        self.assertIn(" ext4 ", mount)
        shown = (self.folder / "dumpe2fs").read_text()
        for word in (r"volume name: +muster-scratch", r"RAID stride: +128", r"RAID stripe width: +1024", r"Reserved block count: +0"):
            self.assertRegex(shown, word)
        detail = (self.folder / "detail").read_text()
        self.assertIn("MD_NAME=any:muster-scratch\n", detail)
        self.assertIn(f"MD_UUID={status['array']['uuid']}", detail)
        self.expect("present", 0, "mounted")

    def test_a_second_run_changes_nothing(self):
        status, _ = self.expect("again", 0, "mounted")
        self.assertEqual(len((self.folder / "again.txt").read_text().splitlines()), 9)
        self.assertEqual(status["array"], self.run_of("first")[1]["array"])
        self.assertEqual((self.folder / "examined").read_text(), (self.folder / "examined_again").read_text())

    def test_wishes_that_the_array_does_not_fulfil_are_named(self):
        self.expect("elsewhere", 1, "stopped", "is mounted at /mnt/scratch", "give that place")
        self.expect("nine", 1, "stopped", "is of 8 drives, and 9 are wanted")

    def test_it_survives_a_restart(self):
        status, _ = self.expect("restarted", 0, "mounted", "assemble", "mount")
        self.assertNotIn("format", (self.folder / "restarted.txt").read_text())
        self.assertEqual(status["array"]["uuid"], self.run_of("first")[1]["array"]["uuid"])
        self.assertEqual((self.folder / "file").read_text(), "kept\n")
        self.assertIn("OK", (self.folder / "checked").read_text())
        self.assertEqual((self.folder / "mode").read_text(), "1777\n")

    def test_a_mount_that_the_host_does_not_see_is_no_mount(self):
        self.expect("private", 3, "unknown", "mountPropagation")
        self.expect("remounted", 0, "mounted")


# A program of PATH that does a part of its work and then takes muster away.
KILLED = """
mkdir -p shims
killing() { # PROGRAM COMMAND: the program runs this and then kills who started it
  rm -f shims/*
  printf '#!/bin/bash\\n%s\\nkill -9 $PPID\\nsleep 1\\n' "$2" >"shims/$1"
  chmod +x "shims/$1"
  with=(env "PATH=/tmp/shims:$PATH")
}
finish() { # NAME: the run that is killed, what is there then, and the run that goes on
  scratch "$1.killed"
  with=()
  ls /sys/block >"/job/$1.blocks"
  scratch "$1.finished"
  touch /mnt/scratch/writable && unmount && empty 0 1 2
}
killing mdadm '/usr/sbin/mdadm "$@"'
finish created
killing mkfs.ext4 'for device; do if [ -b "$device" ]; then dd if=/dev/urandom of=$device bs=1M count=2 status=none; fi; done'
finish begun
killing mkfs.ext4 '/usr/sbin/mkfs.ext4 "$@"
for device; do if [ -b "$device" ]; then dd if=/dev/zero of=$device bs=1M count=2 status=none; fi; done'
finish without_beginning
killing mkfs.ext4 '/usr/sbin/mkfs.ext4 "$@"'
finish formatted
"""


class ThreeDrives(Machine):
    DRIVES = (Drive(),) * 3

    @classmethod
    def prepare(cls):
        cls.start(KILLED + """
scratch whole
unmount
cp "$(drive 1)" copy && empty 1
scratch mixed
scratch mixed_again
cat copy >"$(drive 1)"
scratch back
echo 1 >"/sys/class/block/$(basename "$(drive 2)")/device/device/remove"
scratch running_without
umount /mnt/scratch && mdadm --quiet --stop "/dev/$(array)"
scratch lost
""")
        cls.start("""
scratch whole_again
umount /mnt/scratch
dd if=/dev/urandom of="/dev/$(array)" bs=1M count=2 status=none
scratch overwritten
mkfs.ext4 -q -F "/dev/$(array)"
scratch foreign
mdadm --quiet --stop "/dev/$(array)"
empty 0 1 2
mdadm --quiet --create /dev/md5 --name=muster-scratch --level=1 --metadata=1.2 --run --assume-clean --raid-devices=2 "$(drive 0)" "$(drive 1)"
mdadm --quiet --stop /dev/md5
scratch mirror
empty 0 1
scratch one_after_the_other
unmount && empty 2
with=(strace -f --seccomp-bpf -o strace.txt -P "$(drive 1)" -e trace=openat -e inject=openat:delay_enter=20000000:when=3)
scratch late &
until grep -q create /job/late.txt; do sleep 0.2; done
printf x | dd of="$(drive 1)" bs=1 seek=1000000 conv=notrunc status=none
wait
mdadm --examine "$(drive 0)" "$(drive 1)" "$(drive 2)" >/job/late.examined 2>&1
true
""")

    def test_what_was_killed_is_finished(self):
        for step in ("created", "begun", "without_beginning", "formatted"):
            with self.subTest(step):
                self.assertEqual((self.folder / f"{step}.killed.exit").read_text(), "137\n", self.said)
                self.assertIn("md", (self.folder / f"{step}.blocks").read_text())
                self.expect(f"{step}.finished", 0, "mounted")
                said = (self.folder / f"{step}.finished.txt").read_text()
                self.assertNotIn("create", said)
                self.assertEqual("format" in said, step != "formatted", said)

    def test_an_array_that_lacks_a_drive_is_left_alone(self):
        self.expect("whole", 0, "mounted")
        for name in ("mixed", "mixed_again"):
            _, drives = self.expect(name, 1, "stopped", "lacks drive 2 of 3", "is empty, and not in muster's array", "blkdiscard")
            self.assertEqual({serial: decision for serial, (decision, _) in drives.items()}, {"0": "ours", "1": "spare", "2": "ours"})
        self.expect("back", 0, "mounted")
        self.expect("running_without", 1, "stopped", "lacks drive 3 of 3")
        self.expect("lost", 1, "stopped", "lacks drive 3 of 3")

    def test_an_array_with_the_data_of_others_is_left_alone(self):
        self.expect("whole_again", 0, "mounted")
        self.expect("overwritten", 1, "stopped", "holds a copy of a superblock (ext4)", "and no file system of muster")
        self.expect("foreign", 1, "stopped", "holds a file system (ext4)")

    def test_an_array_of_that_name_that_is_no_scratch_is_left_alone(self):
        _, drives = self.expect("mirror", 0, "mounted")
        self.assertEqual({serial: decision for serial, (decision, _) in drives.items()}, {"0": "refuse", "1": "refuse", "2": "ours"})
        self.assertIn("muster-scratch", drives["0"][1])
        self.expect("one_after_the_other", 0, "mounted", "of 1 drive is mounted", "spare")

    def test_what_is_written_at_the_last_moment_is_not_lost(self):
        self.expect("late", 3, "unknown", "create", "is not empty any more")
        self.assertEqual((self.folder / "late.examined").read_text().count("No md superblock"), 3)


if __name__ == "__main__":
    main()
