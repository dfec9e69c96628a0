# SPDX-License-Identifier: Apache-2.0
"""A host_memory that prepares."""
import fcntl
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN  # noqa: E402


class Preparing:
    """A host_memory whose turn does not come."""

    def __init__(self, folder, *options):
        self.lock = open(folder / "turn", "w", encoding="utf-8")  # pylint: disable=consider-using-with
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [BIN / "muster-host-memory", "--quiet", "--turn", folder / "turn", "--report", folder / "memory.json", *options],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def end(self):
        has_waited = self.process.poll() is None
        self.process.kill()
        self.process.wait()
        self.lock.close()
        return has_waited
