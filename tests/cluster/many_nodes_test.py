# SPDX-License-Identifier: Apache-2.0
"""A night over two real nodes and a hundred that kwok plays: each once, and each that was not tested is named with the reason."""
import collections
import contextlib
import json
import tempfile
import time

import played_nodes
from nights import BIN, Nights
from releases import main

PLAYED = [f"gpu-{number:03}" for number in range(100)]
BAD, MUTE, SLOW = PLAYED[7], PLAYED[41], PLAYED[99]
GOOD = [name for name in PLAYED if name not in (BAD, MUTE, SLOW)]
CORDONED, SILENT = "gpu-100", "gpu-101"
PROBLEM = {"status": "fail", "check": "ib_link", "host": "a-pod", "metric": "ib_link.state", "labels": {"nic": "mlx5_3"}, "count": 1,
           "reason": "the link is DOWN", "fault": "ib_port_down", "action": "look"}


def summary(status, problems=()):
    """As the pods of real nodes leave it there."""
    return json.dumps({
        "schema": 1, "tool": {"name": "muster", "version": "0.1.0"}, "run_id": "0123456789abcdef", "started": "{{ Now }}", "host": "a-pod",
        "host_count": 1, "profile": "own", "selection": {"tier": "preflight", "only": ["limits"], "skip": []}, "status": status,
        "summary": "text", "report": {"path": "r", "sha256": "0" * 64}, "problems": list(problems), "omitted": 0})


class ManyNodes(Nights):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        nodes = [played_nodes.node(name) for name in PLAYED]
        nodes += [played_nodes.node(CORDONED, cordoned=True), played_nodes.node(SILENT, played=False)]
        playing = contextlib.ExitStack()
        cls.addClassCleanup(playing.close)
        playing.enter_context(played_nodes.play(cls.cluster, nodes, [
            played_nodes.ended_pods("good", GOOD, summary("pass")), played_nodes.ended_pods("bad", [BAD], summary("fail", [PROBLEM]), code=1),
            played_nodes.ended_pods("mute", [MUTE], "", code=137)]))

    def watched(self, run):
        """The nodes on which pods were made while it runs, by their uids."""
        words = ("kubectl", "get", "pods", "--watch", "--output", r'jsonpath={.metadata.uid} {.spec.nodeName}{"\n"}')
        with tempfile.TemporaryFile("w+") as seen:
            with self.cluster.background(*words, stdout=seen):
                time.sleep(2)
                run()
                time.sleep(1)
            seen.seek(0)
            return {uid: node for uid, _, node in (line.strip().partition(" ") for line in seen) if node}

    def test_every_node_once_and_the_others_are_named(self):
        self.demand(node1=1, node2=1)
        found = {}
        started = time.monotonic()
        pods = self.watched(lambda: found.update(self.night("--nodes", "gpu-[000-102],node[1-2]", code=1, deadline=40)))
        print(f"a night over {len(found)} nodes: {time.monotonic() - started:.1f} s")
        self.assertEqual(collections.Counter(pods.values()), dict.fromkeys((*PLAYED, "node1", "node2"), 1))
        self.assertEqual(found, dict.fromkeys((*GOOD, "node1", "node2"), ("pass", "tested")) | {BAD: ("fail", "tested")} |
                         dict.fromkeys((MUTE, SLOW, CORDONED, SILENT, "gpu-102"), ("fail", "missing")))
        for name, words in ((MUTE, "left no report"), (SLOW, "no time for it"), (CORDONED, "cordoned"), (SILENT, "not ready"),
                            ("gpu-102", "not among the nodes")):
            self.assertIn(words, self.reasons[name], name)
        said = self.cluster.run(BIN / "muster", "fleet", "act", self.folder / "fleet.json", *self.server).stdout
        self.assertEqual(said, f"{BAD}: dry run: marks it muster/unfit=ib_port_down (ib_link.state: the link is DOWN)\n")


if __name__ == "__main__":
    main()
