# SPDX-License-Identifier: Apache-2.0
"""muster scratch on drives of which only the first and the last 2 MiB were wiped: what can be brought back from copies, or is
data, is named and not changed."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guest_drives import Drive  # noqa: E402
from scratch_machine import MIB, Machine, main  # noqa: E402

BYTES = 1024 * MIB
WIPED = 2 * MIB
PARTITION = 64 * MIB  # where a second one begins
USED = 16 * MIB

# What makes each drive, with its file as {} and data as {data}, and the reason to refuse it.
HELD = {
    "ext4": ("mkfs.ext4 -q {}", r"holds a copy of a superblock \(ext4\) at byte 134217728"),
    "ext4_of_small_blocks": ("mkfs.ext4 -q -b 1024 {}", r"holds a copy of a superblock \(ext4\) at byte 8389632"),
    "ext4_in_a_partition": ("mkfs.ext4 -q -b 4096 -E offset=1048576 {} 400m", r"holds a copy of a superblock \(ext4\) at byte 135266304"),
    "xfs": ("mkfs.xfs -q {}", r"holds a copy of a superblock \(xfs\) at byte 536870912"),
    "xfs_of_stripes": ("mkfs.xfs -q -d su=128k,sw=2 {}", r"holds a copy of a superblock \(xfs\) at byte \d+"),
    "btrfs": ("mkfs.btrfs -q {}", r"holds a copy of a superblock \(btrfs\) at byte 67108864"),
    "luks2": ("cryptsetup luksFormat -q --type luks2 --luks2-metadata-size 4m --luks2-keyslots-size 8m --pbkdf pbkdf2 "
              "--pbkdf-force-iterations 1000 {}", r"holds an encrypted volume \(crypto_LUKS\)"),
    "ext4_in_a_second_partition": ("mkfs.ext4 -q -d {data} -E offset=%d {} 400m" % PARTITION, "holds unknown data")}
# Of each all was wiped, or nothing was there.
EMPTY = ("never_written", "wiped_whole")
NAMES = (*EMPTY, *HELD)


class WipedDrives(Machine):
    DRIVES = (Drive(),) * len(NAMES)
    DRIVE_BYTES = BYTES

    @classmethod
    def prepare(cls):
        with tempfile.TemporaryDirectory() as data:
            (pathlib.Path(data) / "file").write_bytes(os.urandom(USED))
            for number, name in enumerate(NAMES):
                if name != "never_written":
                    cls.make(cls.guests.drive(number), HELD.get(name, HELD["ext4"])[0], data)
        cls.before = cls.digests()
        cls.start(f"empty {NAMES.index('wiped_whole')}\nscratch dry --dry-run\nscratch real\n")
        cls.after = cls.digests()

    @staticmethod
    def make(file, command, data):
        subprocess.run(command.format(file, data=data).split(), check=True, capture_output=True, text=True, input="a secret",
                       env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/sbin"})
        with file.open("r+b") as opened:
            for begin in (0, BYTES - WIPED):
                opened.seek(begin)
                opened.write(bytes(WIPED))

    def test_what_can_be_brought_back_is_named_and_left_alone(self):
        for run, state, words in (("dry", "planned", "2 drives will be one array"), ("real", "mounted", "of 2 drives is mounted")):
            _, drives = self.expect(run, 0, state, words)
            for name, (_, reason) in HELD.items():
                with self.subTest(name, run=run):
                    decision, said = drives[str(NAMES.index(name))]
                    self.assertEqual(decision, "refuse")
                    self.assertRegex(said, reason)

    def test_what_is_empty_is_taken(self):
        for run, decision in (("dry", "take"), ("real", "ours")):
            _, _, drives, text = self.run_of(run)
            self.assertEqual([drives[str(NAMES.index(name))][0] for name in EMPTY], [decision] * len(EMPTY), text)

    def test_not_a_bit_of_the_others_changes(self):
        changed = [name for name, before, after in zip(NAMES, self.before, self.after) if before != after]
        self.assertEqual(changed, list(EMPTY))


if __name__ == "__main__":
    main("mkfs.xfs", "mkfs.btrfs", "cryptsetup")
