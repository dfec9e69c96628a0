# SPDX-License-Identifier: Apache-2.0
"""RDMA between two machines, of which one dies: it is named."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guests import missing  # noqa: E402
from muster import BIN  # noqa: E402
from rdma_jobs import RdmaJobs  # noqa: E402

PROGRAM = BIN / "muster-ib-bandwidth"
SCRIPT = f"""
{RdmaJobs.JOB}
program=('{PROGRAM}' -s 4K -t 64)
until_told() {{  # mpirun goes on to wait for the host, and so would who asks the host for its networks
  timeout -k 2 100 "$@" &
  while grep -qsE '"outcome": "(pending|running)"' died.json || [[ ! -s died.json ]] && kill -0 $! 2>/dev/null; do sleep 0.5; done
  kill $! 2>/dev/null
  there() {{ false; }}
}}
limit=(until_told)
meanwhile "echo 0 >/proc/sys/kernel/panic; echo c >/proc/sysrq-trigger"
job died --tier full --timeout 40
true
"""


class LostHost(RdmaJobs):
    SCRIPT = SCRIPT
    SECONDS = 400

    def test_a_host_that_dies_is_named_within_the_deadline(self):
        _, document, said = self.job("died")
        self.assertEqual(document["status"], "unknown", said)
        self.assertRegex(document["checks"][0]["reason"], "guest2 went silent", said)
        self.assertLess(document["duration_seconds"], 50)


if __name__ == "__main__":
    if missing() or not PROGRAM.exists():
        print("skipped: needs libibverbs and", *missing())
        sys.exit(77)
    unittest.main()
