# SPDX-License-Identifier: Apache-2.0
"""RDMA between two machines in the time that every change has: what crossed the wire is proven."""
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
job healthy --timeout 200
"""


class OneWire(RdmaJobs):
    SCRIPT = SCRIPT
    SECONDS = 400

    def test_what_crossed_a_healthy_wire_is_proven(self):
        self.assert_healthy_over_the_wire("healthy", "ib_bandwidth.bandwidth")


if __name__ == "__main__":
    if missing() or not PROGRAM.exists():
        print("skipped: needs libibverbs and", *missing())
        sys.exit(77)
    unittest.main()
