# SPDX-License-Identifier: Apache-2.0
"""A job over four hosts of which one has a slow link, out of it or into it: that one is named."""
import itertools
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from drawn import drawn  # noqa: E402
from host_jobs import PROGRAM, HostJobs  # noqa: E402
from hosts import possible  # noqa: E402


class OneRankOnEach(HostJobs):
    def test_a_slow_link_is_named_by_its_host(self):
        links = [*itertools.product(self.hosts.names, ("egress", "ingress"))]
        for name, direction in drawn(1, links):
            with self.subTest(host=name, direction=direction):
                self.expect_slow_link(name, direction)


if __name__ == "__main__":
    if not (PROGRAM.exists() and possible()):
        print("skipped: needs Open MPI, and the right to make network namespaces")
        sys.exit(77)
    unittest.main()
