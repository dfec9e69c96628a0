# SPDX-License-Identifier: Apache-2.0
"""The chart node-labeler in a real cluster: nodes have the labels of their pools, and its pods can change nothing else."""
import fcntl
import json
import os
import pathlib
import re
import sys
import time

from releases import IMAGE, SOURCE, TwoNodes, main

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from hyperv import pool, record  # noqa: E402

CHART = SOURCE / "charts/node-labeler"
SAMPLE = SOURCE / "tests/machines/ndv5/var/lib/hyperv/.kvp_pool_3"
LABEL = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?")
NODES = ("node1", "node2")


class NodeLabeler(TwoNodes):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = pathlib.Path(cls.place.name, "hyperv")  # of both nodes
        cls.folder.mkdir()
        cls.write(pool(PhysicalHostName="CHI01"))
        cls.values = pathlib.Path(cls.place.name, "values.json")
        cls.values.write_text(json.dumps({"image": IMAGE, "every": 0.5, "hypervFolder": str(cls.folder)}))
        cls.cluster.helm("install", "labeler", CHART, "--values", cls.values)
        cls.cluster.kubectl("rollout", "status", "daemonset/labeler", "--timeout", "60s", timeout=70)

    @classmethod
    def write(cls, data):
        """As Hyper-V's daemon does: under a lock, over what there was."""
        with open(cls.folder / ".kvp_pool_3", "ab") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            file.truncate(0)
            file.write(data)

    def metadata(self, node):
        return self.cluster.get("node", node)["metadata"]

    def labels(self, node):
        """Those of Hyper-V."""
        return {name.removeprefix("hyperv/"): value for name, value in self.metadata(node)["labels"].items() if name.startswith("hyperv/")}

    def expect(self, **labels):
        """These, on both nodes, and no others."""
        for node in NODES:
            self.cluster.wait(20, lambda node=node: self.labels(node) == labels)

    def expect_said(self, words):
        said = ("logs", "--selector", "app.kubernetes.io/instance=labeler", "--tail", "-1")
        self.cluster.wait(20, lambda: words in self.cluster.kubectl(*said).stdout)

    def patches(self):
        """How often the API server was asked to change a node itself, by whom ever."""
        lines = self.cluster.kubectl("get", "--raw", "/metrics").stdout.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith("apiserver_request_total{")
                   and 'resource="nodes"' in line and 'subresource=""' in line and 'verb="PATCH"' in line)

    def test_a_clean_a_dirty_and_a_shrinking_pool(self):
        self.write(SAMPLE.read_bytes())
        for node in NODES:
            found = self.cluster.wait(20, lambda node=node: len(self.labels(node)) == 16 and self.labels(node))
            self.assertEqual(found["PhysicalHostName"], "CHI000000000017")
        self.write(record("HostName", "CHI02", dirt=b"\xff\xfe old") + record("Note", "two words"))
        self.expect(HostName="CHI02", Note="two-words")
        self.assertEqual(self.metadata("node1")["annotations"]["hyperv/Note"], "two words")
        self.write(pool(HostName="CHI02"))
        self.expect(HostName="CHI02")
        self.assertNotIn("hyperv/Note", self.metadata("node1")["annotations"])
        self.write(b"")
        self.expect()

    def test_a_pool_that_is_cut_short_takes_nothing_away(self):
        self.write(pool(HostName="CHI01", Note="a"))
        self.expect(HostName="CHI01", Note="a")
        self.write(pool(HostName="CHI02", Note="a")[:2560 + 1000])
        self.expect(HostName="CHI02", Note="a")
        self.expect_said("3560 bytes are not a whole number")

    def test_a_pool_that_is_too_much_for_a_node_gives_what_a_node_can_have(self):
        self.write(b"".join(record(f"Key{number:03}", "!" * 2000 + "v") for number in range(300)))
        for node in NODES:
            found = self.cluster.wait(20, lambda node=node: len(self.labels(node)) == 200 and self.labels(node))
            self.assertTrue(all(LABEL.fullmatch(value) and len(value) <= 63 for value in found.values()))
        self.expect_said("the first 200 were taken")
        self.expect_said("are left out")

    def test_nothing_is_changed_where_nothing_changes(self):
        self.write(pool(HostName="CHI03"))
        self.expect(HostName="CHI03")
        before = self.patches()
        self.assertGreater(before, 0)
        time.sleep(3)  # some looks
        self.cluster.kubectl("rollout", "restart", "daemonset/labeler")
        self.cluster.kubectl("rollout", "status", "daemonset/labeler", "--timeout", "60s", timeout=70)
        self.expect_said("nothing to change")
        self.assertEqual(self.patches(), before)

    def test_a_right_that_is_missing_is_told_and_waited_for(self):
        self.write(pool(HostName="CHI04"))
        self.expect(HostName="CHI04")
        binding = self.cluster.get("clusterrolebinding", "labeler.default")
        self.cluster.kubectl("delete", "clusterrolebinding", "labeler.default")
        self.write(pool(HostName="CHI05"))
        self.expect_said("a right is missing")
        self.assertEqual(self.labels("node1"), {"HostName": "CHI04"})
        for field in ("uid", "resourceVersion", "creationTimestamp"):
            del binding["metadata"][field]
        self.cluster.apply(binding)
        self.expect(HostName="CHI05")

    def change(self, node, changes, bound):
        return self.cluster.kubectl_as("labeler", "patch", "node", node, "--type", "strategic", "--patch", json.dumps(changes), bound=bound)

    def test_a_pod_changes_its_own_labels_on_its_own_node_alone(self):
        pod = next(name for name, pod in self.cluster.pods().items() if pod["spec"].get("nodeName") == "node1")
        own, of_no_pod = ("Pod", pod), ()
        ours = {"metadata": {"labels": {"hyperv/Test": "a", "ib/pkey": "0x8001"}, "annotations": {"hyperv/Test": "a b"}}}
        nothing = {"metadata": {"labels": {"hyperv/Test": None, "ib/pkey": None}, "annotations": {"hyperv/Test": None}}}
        for changes in (ours, nothing):
            made = self.change("node1", changes, own)
            self.assertEqual(made.returncode, 0, made.stderr)
        for node, bound, changes, words in (
                ("node2", own, ours, "and no other"), ("node1", of_no_pod, ours, "and no other"),
                ("node1", own, {"metadata": {"labels": {"hyperv.example/A": "a"}}}, "no labels of others"),
                ("node1", own, {"metadata": {"labels": {"ib/torset": "a"}}}, "no labels of others"),
                ("node1", own, {"metadata": {"labels": {"kubernetes.io/hostname": "other"}}}, "no labels of others"),
                ("node1", own, {"metadata": {"labels": {"kubernetes.io/hostname": None}}}, "no labels of others"),
                ("node1", own, {"metadata": {"annotations": {"a": "b"}}}, "no annotations of others"),
                ("node1", own, {"metadata": {"finalizers": ["a.example/b"]}}, "labels and annotations alone"),
                ("node1", own, {"spec": {"unschedulable": True}}, "labels and annotations alone"),
                ("node1", own, {"spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]}}, "labels and annotations alone")):
            with self.subTest(changes, node=node):
                made = self.change(node, changes, bound)
                self.assertNotEqual(made.returncode, 0, made.stdout)
                self.assertIn(words, made.stderr)


if __name__ == "__main__":
    main()
