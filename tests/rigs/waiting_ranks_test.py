# SPDX-License-Identifier: Apache-2.0
"""Ranks that wait for one of them leave it the CPUs."""
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from job import MPIRUN, WITHOUT_PAUSE, cpu_seconds, pid_of_rank  # noqa: E402
from muster import BIN  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
SMALL = ("-b", "4K", "-e", "64K", "-n", "7", "--quiet")


class WaitingRanks(unittest.TestCase):
    def test_they_sleep_while_the_first_hands_over_the_report(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as launcher:
            launcher.settimeout(60)
            deliver = ("--deliver-to", f"word {launcher.getsockname()[1]} 127.0.0.1")
            job = subprocess.Popen([*MPIRUN, *WITHOUT_PAUSE, "-np", "3", PROGRAM, *SMALL, *deliver], cwd=folder, stdin=subprocess.DEVNULL)
            self.addCleanup(job.kill)
            connection, _ = launcher.accept()
            with connection, connection.makefile("rw") as lines:
                self.assertEqual(lines.readline(), "muster report word\n")
                print("muster letterbox", file=lines, flush=True)
                while not lines.readline().startswith("end "):
                    pass
                others = [pid_of_rank(pathlib.Path(folder), rank) for rank in (1, 2)]
                before = sum(map(cpu_seconds, others))
                time.sleep(1)
                self.assertLess(sum(map(cpu_seconds, others)) - before, 0.2)
                print("received", file=lines, flush=True)
            self.assertEqual(job.wait(30), 0)


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("skipped: needs Open MPI")
        sys.exit(77)
    unittest.main()
