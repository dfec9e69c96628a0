# SPDX-License-Identifier: Apache-2.0
"""Nights over the nodes of a real cluster, by `muster fleet night` of this machine."""
import base64
import json
import os
import pathlib

from profiles import open_files
from releases import TwoNodes

BIN = pathlib.Path(os.environ["MUSTER_BIN"])


def pod(profiles):
    """That tests its node by its node's profile, and tolerates our taint."""
    words = ["node", "--tier", "preflight", "--only", "limits", "--even-if-in-use", "--profile", "/profiles/$(NODE).json",
             "--report", "/tmp/report.json", "--summary", "/dev/termination-log", "--quiet"]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": {
        "restartPolicy": "Never", "activeDeadlineSeconds": 60, "tolerations": [{"key": "muster/unfit", "operator": "Exists"}],
        "securityContext": {"runAsUser": 1000, "runAsGroup": 1000}, "volumes": [
            {"name": "profiles", "configMap": {"name": profiles}}, {"name": "tmp", "emptyDir": {}}],
        "containers": [{"name": "muster", "image": "localhost/muster:test", "imagePullPolicy": "Never", "command": ["muster"], "args": words,
                        "env": [{"name": "NODE", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}],
                        "resources": {"limits": {"cpu": "100m", "memory": "128Mi"}},
                        "volumeMounts": [{"name": "profiles", "mountPath": "/profiles"}, {"name": "tmp", "mountPath": "/tmp"}]}]}}


class Nights(TwoNodes):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = pathlib.Path(cls.place.name)
        view = json.loads(cls.cluster.kubectl("config", "view", "--raw", "--minify", "--flatten", "--output", "json").stdout)
        cls.server = ["--server", view["clusters"][0]["cluster"]["server"]]
        for option, data in (("--ca", view["clusters"][0]["cluster"]["certificate-authority-data"]),
                             ("--certificate", view["users"][0]["user"]["client-certificate-data"]),
                             ("--key", view["users"][0]["user"]["client-key-data"])):
            file = cls.folder / option.strip("-")
            file.write_bytes(base64.b64decode(data))
            cls.server += [option, file]
        cls.number = 0

    def demand(self, **least):
        """So many open files of each node."""
        type(self).number += 1
        name = f"profiles{self.number}"  # which no kubelet knows an older version of
        self.cluster.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                            "data": {f"{node}.json": open_files(number) for node, number in least.items()}})
        (self.folder / "pod.json").write_text(json.dumps(pod(name)))

    def night(self, *options, code=0, deadline=60):
        """The status and the coverage of each node."""
        run = self.cluster.run(BIN / "muster", "fleet", "night", *self.server, "--pod", self.folder / "pod.json", "--name", f"n{self.number}",
                               "--report", self.folder / "fleet.json", "--deadline", deadline, *options, check=False, timeout=deadline + 30)
        self.assertEqual(run.returncode, code, run.stderr + run.stdout)
        left = self.cluster.pods(f"muster/night=n{self.number}")
        self.assertEqual([name for name, pod in left.items() if "deletionTimestamp" not in pod["metadata"]], [])
        self.cluster.wait(30, lambda: not self.cluster.pods(f"muster/night=n{self.number}"))  # a kubelet has the last word
        document = json.loads((self.folder / "fleet.json").read_text())
        self.reasons = {node["name"]: node["reason"] for node in document["nodes"]}
        return {node["name"]: (node["status"], node["coverage"]) for node in document["nodes"]}
