# SPDX-License-Identifier: Apache-2.0
"""A night over the two nodes of a real cluster: each once, a node that fails is marked when told, and loses the mark."""
import re

from nights import BIN, Nights
from releases import main

FOREIGN = {"key": "sku", "value": "cpu", "effect": "PreferNoSchedule"}
OURS = {"key": "muster/unfit", "value": "open_files_too_low", "effect": "NoSchedule"}


class Night(Nights):
    def act(self, *options):
        return self.cluster.run(BIN / "muster", "fleet", "act", self.folder / "fleet.json", *self.server, *options).stdout

    def marks(self, node):
        """Label and taints."""
        found = self.cluster.get("node", node)
        return found["metadata"]["labels"].get("muster/unfit"), found["spec"].get("taints", [])

    def test_every_node_once(self):
        self.demand(node1=1, node2=1)
        self.assertEqual(self.night(), dict.fromkeys(("node1", "node2"), ("pass", "tested")))

    def test_a_node_that_is_gone_or_cordoned_makes_the_night_red(self):
        self.demand(node1=1, node2=1)
        self.cluster.kubectl("cordon", "node2")
        self.addCleanup(self.cluster.kubectl, "uncordon", "node2")
        found = self.night("--nodes", "node[1-3]", code=1)
        self.assertEqual(found, {"node1": ("pass", "tested"), "node2": ("fail", "missing"), "node3": ("fail", "missing")})
        self.assertIn("cordoned", self.reasons["node2"])
        self.assertIn("not among the nodes", self.reasons["node3"])

    def test_the_node_that_fails_is_marked_when_told_and_loses_the_mark_when_it_passes(self):
        self.cluster.kubectl("taint", "node", "node2", "sku=cpu:PreferNoSchedule")
        self.addCleanup(self.cluster.kubectl, "taint", "node", "node2", "sku-")
        self.demand(node1=1, node2=10 ** 12)
        self.assertEqual(self.night(code=1), {"node1": ("pass", "tested"), "node2": ("fail", "tested")})
        self.assertRegex(self.act(), re.compile(r"\Anode2: dry run: marks it muster/unfit=open_files_too_low .*\n\Z"))
        self.assertEqual(self.marks("node2"), (None, [FOREIGN]))
        self.act("--apply")
        self.assertEqual(self.marks("node2"), ("open_files_too_low", [FOREIGN, OURS]))
        self.assertEqual(self.marks("node1"), (None, []))
        self.demand(node1=1, node2=1)
        self.assertEqual(self.night(), dict.fromkeys(("node1", "node2"), ("pass", "tested")))
        self.act("--apply")
        self.assertEqual(self.marks("node2"), (None, [FOREIGN]))

    def test_the_cap_stops_a_night_in_which_everything_fails(self):
        self.demand(node1=10 ** 12, node2=10 ** 12)
        self.assertEqual(set(self.night(code=1).values()), {("fail", "tested")})
        done = self.cluster.run(BIN / "muster", "fleet", "act", self.folder / "fleet.json", *self.server, "--apply", check=False)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("2 nodes would be marked, which is more than 1 of 2: none is", done.stdout)
        self.assertEqual([self.marks(node) for node in ("node1", "node2")], [(None, [])] * 2)


if __name__ == "__main__":
    main()
