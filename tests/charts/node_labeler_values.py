# SPDX-License-Identifier: Apache-2.0
"""Values of the chart node-labeler that its schema refuses, and some that it takes."""

# A wrong value, of the right type where there is one, for each value of the schema that is no object with fields of its own.
# "[]" is an element of an array, "*" a field that a pattern names.
WRONG = {
    "global": "text",
    "fullnameOverride": "Upper",
    "image.repository": "",
    "image.tag": "a b",
    "image.digest": "sha256:12",
    "image.pullPolicy": "Sometimes",
    "imagePullSecrets": {"name": "secret"},
    "imagePullSecrets.[].name": "",
    "registryPrefix": "https://registry.example/",
    "prefix": "node.kubernetes.io",
    "hypervFolder": "var/lib/hyperv",
    "every": 0,
    "restrict": "yes",
    "resources.cpu": "",
    "resources.memory": "64MB",
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
    "priorityClassName": "High",
    "podAnnotations.*": 1,
    "maxUnavailable": "0%",
}
# A field that a pattern of the schema takes, and one that it does not.
FIELDS = {
    "nodeSelector": ("agentpool", "agent pool"),
    "podAnnotations": ("note", "/note"),
}
RIGHT = [
    {"prefix": "host.example"}, {"prefix": "kubernetes.io.example"}, {"hypervFolder": "/mnt/hyperv-1"}, {"every": 0.5},
    {"restrict": False}, {"resources": {"cpu": 1, "memory": "1Gi"}}, {"maxUnavailable": 3}, {"maxUnavailable": "100%"},
    {"tolerations": []}, {"tolerations": [{"key": "a.b/c", "operator": "Exists", "effect": "NoSchedule"}]},
    {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "sku", "operator": "Exists"}]}]}}}},
    {"nodeSelector": {"agentpool": "gpu"}}, {"image": {"repository": "localhost:5000/muster"}}, {"global": {"anything": 1}},
]
# Beside each choice of the schema, and the fields without a default.
WITH_CHOICES = {}
NO_DEFAULT = {"": {"global"}}
