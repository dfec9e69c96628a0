# SPDX-License-Identifier: Apache-2.0
"""The schema of the values refuses what is wrong, and names it; every value has a case that it refuses."""
import os
import sys
import unittest

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chart import CHART, SCHEMA, nested, render_all  # noqa: E402

# A wrong value, of the right type where there is one, for each value of the schema that is no object with fields of its own.
# "[]" is an element of an array, "*" a field that a pattern names.
WRONG = {
    "global": "text",
    "fullnameOverride": "Upper",
    "nameBy": "date",
    "image.repository": "muster:latest",
    "image.tag": "a b",
    "image.digest": "sha256:12",
    "image.pullPolicy": "Sometimes",
    "imagePullSecrets": {"name": "secret"},
    "imagePullSecrets.[].name": "",
    "registryPrefix": "https://registry.example/",
    "launcher": "slurm",
    "numNodes": 0,
    "gpusPerNode": -1,
    "ranksPerNode": 0,
    "gpuResource": "",
    "rdma.resource": "rdma/",
    "rdma.count": -1,
    "resources.cpu": "two",
    "resources.memory": "64GB",
    "launcherResources.cpu": -1,
    "launcherResources.memory": "0Gi",
    "shmSize": 8,
    "operation": "all_reduce",
    "sizes.min": 0,
    "sizes.max": "64 M",
    "sizes.factor": 1,
    "checkArguments": "--in-place",
    "checkArguments.[]": "",
    "tier": "long",
    "profile": "",
    "profileContent": {"name": "own"},
    "topologyFile": "ndv5 topo.xml",
    "topologyContent": 1,
    "nccl.*": ["INFO"],
    "mpi.*": {"value": 1},
    "interface": "more-than-15-characters",
    "sshPort": 22,
    "wait": 0,
    "deadline": 0.5,
    "pendingTimeout": 0,
    "dependsOn": "yes",
    "ttlSecondsAfterFinished": 0,
    "queue": "",
    "priorityClassName": "High",
    "spread": "always",
    "nodeSelector.*": True,
    "affinity.nodeAffinity": [],
    "affinity.podAffinity": [],
    "affinity.podAntiAffinity": [],
    "tolerations": {"key": "sku"},
    "tolerations.[].key": "a b",
    "tolerations.[].operator": "Like",
    "tolerations.[].value": True,
    "tolerations.[].effect": "Evict",
    "tolerations.[].tolerationSeconds": -1,
    "podAnnotations.*": 1,
    "runtimeClassName": "Nvidia",
    "security": "privileged",
    "azureml.enabled": "true",
    "azureml.system": 1,
    "azureml.memoryReservePercent": 51,
    "results.claim": "My claim",
    "results.create": "true",
    "results.size": "1GB",
    "results.storageClass": "Fast",
    "results.accessMode": "ReadOnlyMany",
    "results.keep": "no",
    "results.mountPath": "results/",
}
# A field that a pattern of the schema takes, and one that it does not.
FIELDS = {
    "nccl": ("NCCL_DEBUG", "NCCL_debug"),
    "mpi": ("UCX_TLS", "PATH"),
    "nodeSelector": ("agentpool", "agent pool"),
    "podAnnotations": ("note", "/note"),
}
RIGHT = [
    {"image": {"repository": "ghcr.io/some/muster", "tag": "v1.2_3-rc.1"}},
    {"image": {"repository": "localhost:5000/muster"}},
    {"image": {"repository": "localhost/muster", "digest": "sha256:" + "0" * 64}},
    {"registryPrefix": "name.azurecr.io/mirror"}, {"registryPrefix": "10.0.0.1:5000"},
    {"rdma": {"resource": "", "count": 0}}, {"rdma": {"resource": "rdma/shared_ib", "count": 1}},
    {"resources": {"cpu": 1.5, "memory": "16Gi"}}, {"resources": {"cpu": "500m"}}, {"resources": {"cpu": "2"}}, {"shmSize": ""},
    {"sizes": {"min": 8, "max": "64M", "factor": 2}}, {"sizes": {"min": "4K", "max": "1GiB", "factor": "16"}},
    {"checkArguments": ["--split", "node"]}, {"interface": "eth0.100"}, {"interface": "10.0.0.0/8"},
    {"nccl": {"NCCL_IB_HCA": "^mlx5_2,mlx5_3", "NCCL_DEBUG": "INFO", "NCCL_BUFFSIZE": 4194304, "NCCL_P2P_DISABLE": False}},
    {"mpi": {"OMPI_MCA_coll_hcoll_enable": 0, "UCX_NET_DEVICES": "mlx5_0:1"}},
    {"tolerations": [{"key": "a.b/c", "operator": "Exists", "effect": "NoSchedule"}, {"operator": "Exists"}]},
    {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": []}}}},
    {"global": {"anything": 1}},
]


def nodes(schema, path=""):
    """Every part of the schema that describes a value: (path, node)."""
    below = [(name, node) for name, node in schema.get("properties", {}).items()]
    below += [("*", node) for node in schema.get("patternProperties", {}).values()]
    below += [("[]", schema["items"])] if "items" in schema else []
    for name, node in below:
        yield f"{path}{name}", node
        yield from nodes(node, f"{path}{name}.")


def has_fields(node):
    return "properties" in node or "patternProperties" in node


def cases():
    """Values that must be refused: (what for, values, words of the refusal)."""
    for path, value in WRONG.items():
        place = path.replace("*", FIELDS.get(path.split(".", maxsplit=1)[0], ("",))[0])
        yield path, nested(place, value), f"at '/{place.replace('[]', '0').replace('.', '/')}'"
    for path, node in [("", SCHEMA), *nodes(SCHEMA)]:
        if has_fields(node):
            field = FIELDS[path][1] if path in FIELDS else "unknown"
            yield f"{path}.{field}", nested(f"{path}.{field}".lstrip("."), "1"), f"additional properties '{field}' not allowed"


class Schema(unittest.TestCase):
    def test_every_value_has_a_wrong_one_here(self):
        values = {path for path, node in nodes(SCHEMA) if not has_fields(node)}
        self.assertEqual(values, set(WRONG))
        patterns = {path for path, node in nodes(SCHEMA) if "patternProperties" in node}
        self.assertEqual(patterns, set(FIELDS))

    def test_what_is_wrong_is_refused_and_named(self):
        all_cases = list(cases())
        self.assertGreater(len(all_cases), len(WRONG) + len(FIELDS))
        for (path, _, words), (_, made) in zip(all_cases, render_all([values for _, values, _ in all_cases])):
            with self.subTest(path):
                self.assertNotEqual(made.code, 0, "it was taken")
                self.assertEqual(made.text, "")
                self.assertIn("don't meet the specifications of the schema", made.problem)
                self.assertIn(words, made.problem)

    def test_what_is_right_is_taken(self):
        choices = [nested(path, choice) | {"numNodes": 1} for path, node in nodes(SCHEMA) for choice in node.get("enum", ())]
        self.assertGreater(len(choices), 20)
        for values, made in render_all(RIGHT + choices):
            with self.subTest(values):
                self.assertEqual(made.code, 0, made.problem)

    def test_every_part_says_what_it_is_and_takes_nothing_unknown(self):
        for path, node in [("", SCHEMA), *nodes(SCHEMA)]:
            with self.subTest(path):
                self.assertTrue(node.get("description") or node.get("title"))
                if has_fields(node):
                    self.assertIs(node["additionalProperties"], False)

    def test_every_value_has_a_default(self):
        def compare(schema, values, path):
            self.assertEqual(set(schema["properties"]) - set(values), {"": {"global"}, "rdma.": {"count"}}.get(path, set()))
            for name, node in schema["properties"].items():
                if "properties" in node and "affinity" not in name:
                    compare(node, values[name], f"{path}{name}.")

        compare(SCHEMA, yaml.safe_load((CHART / "values.yaml").read_text()), "")


if __name__ == "__main__":
    unittest.main()
