# SPDX-License-Identifier: Apache-2.0
"""Virtual machines in which muster scratch runs, started again and again with the same drives."""
import hashlib
import json
import os
import sys
import unittest

from guest_drives import DRIVE
from guests import InGuests, missing
from muster import BIN, SOURCE
from schema import Schema

STATUS = Schema(SOURCE / "results/scratch.schema.json")
BYTES = 64 << 20  # of a drive
MIB = 1 << 20
TOOLS = f"""
cd /tmp || exit 1
{DRIVE}
scratch() {{ # NAME OPTIONS...: a run, what it says, its status and how it ends
  "${{with[@]}}" '{BIN / "muster"}' scratch --model "$model" --mount-at "$place" --status status.json "${{@:2}}" >"/job/$1.txt" 2>&1
  echo $? >"/job/$1.exit"
  mv status.json "/job/$1.json"
}}
with=() model='QEMU*' place=/mnt/scratch
array() {{ # its name; of arrays that were stopped something stays for a while
  for each in /sys/block/md*; do
    if [[ $(<"$each/md/array_state") != clear ]]; then basename "$each"; fi
  done
}}
unmount() {{
  umount /mnt/scratch
  mdadm --quiet --stop "/dev/$(array)"
}}
empty() {{ # N...: what was on these drives is gone
  for number; do blkdiscard --force --zeroout "$(drive "$number")" || exit 1; done
}}
"""


def digest(file):
    """Of what is not zero, and of where it is. Holes of the file are passed over."""
    found = hashlib.sha256()
    with file.open("rb") as opened:
        number = 0
        while True:
            try:
                number = max(number, os.lseek(opened.fileno(), number * MIB, os.SEEK_DATA) // MIB)
            except OSError:  # nothing is left but a hole
                return found.hexdigest()
            piece = os.pread(opened.fileno(), MIB, number * MIB)
            if piece.strip(b"\0"):
                found.update(f"{number} ".encode() + piece)
            number += 1


class Machine(InGuests):
    SECONDS = 600
    ALONE = True
    DRIVE_BYTES = BYTES

    @classmethod
    def start(cls, script, kernel=""):
        super().start(f"{TOOLS}\n{script}", kernel)

    @classmethod
    def digests(cls):
        return [digest(cls.guests.drive(number)) for number in range(len(cls.DRIVES))]

    def run_of(self, name):
        """The exit code of a run, its status, and its decisions and reasons by drive."""
        text = (self.folder / f"{name}.txt").read_text()
        status = json.loads((self.folder / f"{name}.json").read_text())
        STATUS.validate(status)
        drives = {drive["serial"].removeprefix("drive"): (drive["decision"], drive["reason"]) for drive in status["drives"]}
        return int((self.folder / f"{name}.exit").read_text()), status, drives, text

    def expect(self, name, code, state, *words):
        exit_code, status, drives, text = self.run_of(name)
        self.assertEqual((exit_code, status["state"]), (code, state), text + self.said)
        for word in words:
            self.assertIn(word, text)
        return status, drives


def main(*programs):
    """With what more a test needs."""
    lacks = missing("sfdisk", "strace", *programs)
    if lacks or not (BIN / "muster-scratch").exists():
        print("skipped: needs libblkid and", *lacks)
        sys.exit(77)
    unittest.main()
