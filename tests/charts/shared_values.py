# SPDX-License-Identifier: Apache-2.0
"""What several charts have alike: values that their schemas refuse, and some that they take."""

# By the path of the value, "[]" being an element of an array and "*" a field that a pattern names.
WRONG = {
    "global": "text",
    "fullnameOverride": "Upper",
    "image.repository": "muster:latest",
    "image.tag": "a b",
    "image.digest": "sha256:12",
    "image.pullPolicy": "Sometimes",
    "imagePullSecrets": {"name": "secret"},
    "imagePullSecrets.[].name": "",
    "registryPrefix": "https://registry.example/",
    "gpusPerNode": -1,
    "gpuResource": "",
    "rdma.resource": "rdma/",
    "rdma.count": -1,
    "resources.cpu": "two",
    "resources.memory": "64GB",
    "shmSize": 8,
    "tier": "long",
    "profile": "",
    "profileContent": {"name": "own"},
    "deadline": 0.5,
    "priorityClassName": "High",
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
    "results.claim": "My claim",
    "results.create": "true",
    "results.size": "1GB",
    "results.storageClass": "Fast",
    "results.accessMode": "ReadOnlyMany",
    "results.keep": "no",
    "results.mountPath": "results/",
}
# A field that a pattern of the schema takes, and one that it does not.
NODE_LABEL = ("agentpool", "agent pool")
ANNOTATION = ("note", "/note")
RIGHT = [
    {"image": {"repository": "ghcr.io/some/muster", "tag": "v1.2_3-rc.1"}}, {"image": {"repository": "localhost:5000/muster"}},
    {"image": {"repository": "localhost/muster", "digest": "sha256:" + "0" * 64}}, {"imagePullSecrets": [{"name": "one"}]},
    {"registryPrefix": "name.azurecr.io/mirror"}, {"registryPrefix": "10.0.0.1:5000"},
    {"tolerations": [{"key": "a.b/c", "operator": "Exists", "effect": "NoSchedule"}, {"operator": "Exists"}]},
    {"podAnnotations": {"note": "text"}}, {"priorityClassName": "low"}, {"global": {"anything": 1}},
]
# Of charts that have a pod on every node.
RIGHT_OF_DAEMON_SETS = RIGHT + [
    {"every": 0.5}, {"resources": {"cpu": 1, "memory": "1Gi"}}, {"maxUnavailable": 3}, {"maxUnavailable": "100%"}, {"tolerations": []},
    {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "sku", "operator": "Exists"}]}]}}}},
    {"nodeSelector": {"agentpool": "gpu"}},
]


def wrong(*fields):
    """Of these fields of a schema."""
    return {path: value for path, value in WRONG.items() if path.split(".", maxsplit=1)[0] in fields}


WRONG_OF_DAEMON_SETS = wrong(
    "global", "fullnameOverride", "image", "imagePullSecrets", "registryPrefix", "resources", "nodeSelector", "affinity", "tolerations",
    "priorityClassName", "podAnnotations") | {
    "image.repository": "", "every": 0, "resources.cpu": "", "resources.memory": "64MB", "maxUnavailable": "0%"}
FIELDS_OF_DAEMON_SETS = {"nodeSelector": NODE_LABEL, "podAnnotations": ANNOTATION}
