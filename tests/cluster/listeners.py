# SPDX-License-Identifier: Apache-2.0
"""Nodes that kwok plays, in a cluster with the chart healthcheck: what tests of those who hear of a verdict share."""
import contextlib
import copy
import datetime
import json
import os
import pathlib
import sys
import tempfile
import unittest

import played_nodes
from cluster import Cluster, missing
from readiness_rule import KIND

SOURCE = pathlib.Path(os.environ["MUSTER_SOURCE"])
BIN = pathlib.Path(os.environ["MUSTER_BIN"])
CHART = SOURCE / "charts/healthcheck"
EXAMPLES = {name: json.loads((SOURCE / f"results/examples/{name}.json").read_text()) for name in ("pass", "fail")}
TESTED = ("healthy", "failing", "untested")
NODES = (*TESTED, "stranger")
FOREIGN = {"key": "sku", "value": "cpu", "effect": "PreferNoSchedule"}
GATE = {"key": "muster/untested", "effect": "NoSchedule"}
UNFIT = {"key": "muster/unfit", "value": "ib_port_down", "effect": "NoSchedule"}
THEIRS = {"type": "Theirs", "status": "True", "reason": "Theirs", "message": "of others", "lastTransitionTime": "2026-01-01T00:00:00Z",
          "lastHeartbeatTime": "2026-01-01T00:00:00Z"}
VALUES = {"image": {"repository": "localhost/muster"}, "gpusPerNode": 0, "schedule": "0 3 1 1 *", "results": {"claim": "none"},
          "nodes": {"selector": {"type": "kwok"}},
          "act": {"schedule": "0 6 1 1 *", "condition": True, "events": True, "gate": GATE["key"],
                  "readinessRule": "readiness.k8s.io/muster-untested", "most": 1}}


def node(name):
    made = played_nodes.node(name)
    made["spec"]["taints"] = [FOREIGN, GATE]
    return made


def now(**ago):
    return f"{datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(**ago):%Y-%m-%dT%H:%M:%S.000Z}"


def report(kind, name):
    """Of a node, as muster writes it now."""
    example = EXAMPLES[kind]
    text = json.dumps(example).replace(json.dumps(example["hosts"][0]["name"]), json.dumps(name))
    return json.dumps(json.loads(text) | {"started": now()}, indent=2)


class Listeners(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.place = pathlib.Path(place.name)
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)
        cls.cluster.apply(KIND)
        cls.cluster.kubectl("wait", "--for=condition=Established", f"crd/{KIND['metadata']['name']}")
        playing = contextlib.ExitStack()
        cls.addClassCleanup(playing.close)
        playing.enter_context(played_nodes.play(cls.cluster, [node(name) for name in NODES], []))
        for name in NODES:
            cls.cluster.kubectl("patch", "node", name, "--subresource=status", "--patch", json.dumps({"status": {"conditions": [THEIRS]}}))
        view = json.loads(cls.cluster.kubectl("config", "view", "--raw", "--minify", "--flatten", "--output", "json").stdout)
        cls.view = view
        cls.server = view["clusters"][0]["cluster"]["server"]
        (cls.place / "values.json").write_text(json.dumps(VALUES))
        cls.cluster.helm("install", "fleet", CHART, "--values", cls.place / "values.json")

    def apply(self, applies):
        self.cluster.helm("upgrade", "fleet", CHART, "--values", self.place / "values.json", "--set", f"act.apply={json.dumps(applies)}")

    def kubeconfig(self, account):
        """Of a service account of the default namespace."""
        view = copy.deepcopy(self.view)
        view["users"][0]["user"] = {"token": self.cluster.kubectl("create", "token", account).stdout.strip()}
        file = self.place / f"kubeconfig-{account}"
        file.write_text(json.dumps(view))
        return file

    def conditions(self, name):
        return {each["type"]: each for each in self.cluster.get("node", name)["status"]["conditions"]}

    def fit(self):
        """Status and reason of each node's condition MusterFit."""
        found = {name: self.conditions(name).get("MusterFit") for name in NODES}
        return {name: (each["status"], each["reason"]) for name, each in found.items() if each}

    def marks(self):
        """Label and taints of each node, without those that Kubernetes itself gives to nodes."""
        found = {name: self.cluster.get("node", name) for name in NODES}
        return {name: (each["metadata"]["labels"].get("muster/unfit"), [
            {key: value for key, value in taint.items() if key != "timeAdded"} for taint in each["spec"].get("taints", [])
            if not taint["key"].startswith("node.kubernetes.io/")]) for name, each in found.items()}

    def others(self):
        """Of each node what is not ours."""
        found = {}
        for name in NODES:
            each = self.cluster.get("node", name)
            metadata = each["metadata"]
            found[name] = ([(key, value) for kind in ("labels", "annotations") for key, value in sorted(metadata[kind].items())
                            if not key.startswith("muster/")],
                           self.conditions(name)["Theirs"], each["status"]["capacity"], each["status"]["nodeInfo"],
                           [taint for taint in self.marks()[name][1] if taint["key"] == FOREIGN["key"]])
        return found


def main():
    if lacking := missing():
        print("skipped: needs", *lacking)
        sys.exit(77)
    unittest.main()
