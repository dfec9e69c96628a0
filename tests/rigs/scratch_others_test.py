# SPDX-License-Identifier: Apache-2.0
"""muster scratch on drives that hold or do something: each is named, and nothing on it changes."""
import os
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guest_drives import Drive  # noqa: E402
from scratch_machine import BYTES, MIB, Machine, main  # noqa: E402


def lvm_label():
    """The sector with the label of a physical volume, LVM2's format_text/layout.h and lib/label/label.h."""
    body = (32).to_bytes(4, "little") + b"LVM2 001" + b"0123456789abcdefghijklmnopqrstuv".ljust(480, b"\0")
    checksum = zlib.crc32(body, 0xf597a6cf ^ 0xffffffff) ^ 0xffffffff
    return b"LABELONE" + (1).to_bytes(8, "little") + checksum.to_bytes(4, "little") + body


# What is on each drive, and the word by which it is named. The first two are empty.
OCCUPIED = ("file_system", "gpt", "gpt_backup", "mbr", "luks", "lvm", "swap", "data_in_front", "data_at_the_end", "mirror", "mirror_too", "mounted",
            "system", "held", "claimed")
REASONS = {
    "file_system": r"holds a file system \(ext4\) named of others", "gpt": r"has partitions: nvme\d+n1p1", "gpt_backup": r"holds a partition table \(gpt\)",
    "mbr": r"has partitions: nvme\d+n1p1", "luks": r"holds an encrypted volume \(crypto_LUKS\)", "lvm": r"holds a part of an array or volume \(LVM2_member\)",
    "swap": "is swapped to", "data_in_front": "holds unknown data", "data_at_the_end": "holds unknown data",
    "mirror": r"holds a part of an array or volume \(linux_raid_member\) named .*others", "mirror_too": "linux_raid_member",
    "mounted": "is mounted at /data", "system": r"carries the operating system \(/boot\)", "held": "is held by dm-0", "claimed": "is in use"}


class DrivesOfOthers(Machine):
    DRIVES = (Drive(),) * (2 + len(OCCUPIED))

    @classmethod
    def image(cls, name):
        return cls.guests.drive(2 + OCCUPIED.index(name))

    @classmethod
    def write(cls, name, offset, data):
        with cls.image(name).open("r+b") as file:
            file.seek(offset)
            file.write(data)

    @classmethod
    def prepare(cls):
        def run(*command, **options):
            subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"}, **options)

        for name in ("file_system", "mounted", "system"):
            run("mkfs.ext4", "-q", "-L", "of others", cls.image(name))
        for name, table in (("gpt", "gpt"), ("gpt_backup", "gpt"), ("mbr", "dos")):
            run("sfdisk", cls.image(name), input=f"label: {table}\nsize=32MiB\n")
        cls.write("gpt_backup", 0, bytes(MIB))
        run("mkswap", cls.image("swap"))
        cls.write("luks", 0, b"LUKS\xba\xbe\x00\x01" + b"aes".ljust(32, b"\0"))
        cls.write("lvm", 512, lvm_label())
        cls.write("data_in_front", MIB + 12345, b"x")
        cls.write("data_at_the_end", BYTES - 1, b"x")
        mirror = " ".join(f'"$(drive {2 + OCCUPIED.index(name)})"' for name in ("mirror", "mirror_too"))
        cls.start(f"mdadm --quiet --create /dev/md5 --name=others --level=1 --metadata=1.2 --run --assume-clean --raid-devices=2 {mirror}\n"
                  "mdadm --quiet --stop /dev/md5")
        cls.before = cls.digests()
        places = {name: f'"$(drive {2 + OCCUPIED.index(name)})"' for name in OCCUPIED}
        use = f"""
mkdir -p /data /boot
mount -o ro,noload {places["mounted"]} /data && mount -o ro,noload {places["system"]} /boot && swapon {places["swap"]} || exit 1
dmsetup create held --table "0 2048 linear $(drive {2 + OCCUPIED.index("held")}) 0" || exit 1
python3 -c 'import os, sys, time; os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL); print("claimed", flush=True); time.sleep(1000)' {places["claimed"]} >claim &
until grep -q claimed claim; do sleep 0.2; done
"""
        cls.start(use + "scratch dry --dry-run\nscratch three --drives 3\n"
                  'with=(strace -f --seccomp-bpf -o strace.txt -P "$(drive 1)" -e trace=openat -e inject=openat:error=EBUSY:when=3)\nscratch busy\nwith=()\n'
                  "mount -t tmpfs t /mnt && mkdir -p /mnt/scratch && mount -t tmpfs o /mnt/scratch\n"
                        "scratch place\nswapoff -a")
        cls.between = cls.digests()
        cls.start(use + "scratch real\nswapoff -a")
        cls.after = cls.digests()

    def expect_decisions(self, drives, empty):
        self.assertEqual([drives[str(number)][0] for number in range(2)], [empty] * 2)
        for number, name in enumerate(OCCUPIED, 2):
            with self.subTest(name):
                decision, reason = drives[str(number)]
                self.assertEqual(decision, "refuse")
                self.assertRegex(reason, REASONS[name])

    def test_each_is_named_and_left_alone(self):
        _, drives = self.expect("dry", 0, "planned", "2 drives will be one array")
        self.expect_decisions(drives, "take")
        _, drives = self.expect("real", 0, "mounted")
        self.expect_decisions(drives, "ours")

    def test_too_few_and_an_occupied_place_stop_it(self):
        _, drives = self.expect("three", 1, "stopped", "3 empty drives are wanted and there are 2")
        self.expect_decisions(drives, "take")
        self.expect("place", 1, "stopped", "/mnt/scratch has o mounted already")

    def test_a_drive_that_is_taken_at_the_last_moment_stops_it(self):
        self.expect("busy", 3, "unknown", "create", "cannot be opened: Device or resource busy")

    def test_bit_by_bit_nothing_changed_but_on_the_empty_ones(self):
        self.assertEqual(self.before, self.between)
        changed = [number for number, (before, after) in enumerate(zip(self.before, self.after)) if before != after]
        self.assertEqual(changed, [0, 1])


if __name__ == "__main__":
    main()
