# SPDX-License-Identifier: Apache-2.0
"""The chart allreduce in a real cluster whose nodes are healthy: its test is green, and no pod is left that runs."""
from releases import Releases, Verdict, main


class Healthy(Releases):
    def test_one_node(self):
        self.expect_healthy("one", numNodes=1, ranksPerNode=2)

    def test_two_nodes(self):
        self.expect_healthy("two", spread="required")

    def test_one_node_without_volcano(self):
        job = self.install("alone", launcher="job", numNodes=1, ranksPerNode=2)
        self.expect_green(Verdict(self.cluster, "alone"), 1)
        self.cluster.wait(20, lambda: self.cluster.get("job", job)["status"].get("succeeded") == 1)
        self.expect_all_ended("alone")


if __name__ == "__main__":
    main()
