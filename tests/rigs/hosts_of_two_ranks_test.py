# SPDX-License-Identifier: Apache-2.0
"""A job over four hosts of two ranks each: healthy it accuses nobody; a slow link is named by its host."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from host_jobs import PROGRAM, HostJobs  # noqa: E402
from hosts import possible  # noqa: E402


class TwoRanksOnEach(HostJobs):
    RANKS = 2

    def test_healthy_hosts_are_not_accused_and_a_slow_link_is_named_by_its_host(self):
        self.expect_healthy()
        self.expect_slow_link("h3", "egress")


if __name__ == "__main__":
    if not (PROGRAM.exists() and possible()):
        print("skipped: needs Open MPI, and the right to make network namespaces")
        sys.exit(77)
    unittest.main()
