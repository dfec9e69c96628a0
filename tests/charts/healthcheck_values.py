# SPDX-License-Identifier: Apache-2.0
"""Values of the chart healthcheck that its schema refuses, and some that it takes."""

# A wrong value, of the right type where there is one, for each value of the schema that is no object with fields of its own.
# "[]" is an element of an array, "*" a field that a pattern names.
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
    "schedule": "at night",
    "timeZone": "Europe Berlin",
    "suspend": "no",
    "history": 0,
    "nodes.selector.*": True,
    "nodes.expected": "gpu 1",
    "gpusPerNode": -1,
    "gpuResource": "",
    "rdma.resource": "rdma/",
    "rdma.count": -1,
    "resources.cpu": "two",
    "resources.memory": "64GB",
    "controllerResources.cpu": "",
    "controllerResources.memory": "",
    "shmSize": 8,
    "tier": "long",
    "profile": "",
    "profileContent": {"name": "own"},
    "only": "limits",
    "only.[]": "Limits",
    "skip": "limits",
    "skip.[]": "a,b",
    "nodeArguments": "--confirm",
    "nodeArguments.[]": "",
    "whenBusy": "kill",
    "busyWait": 0,
    "atOnce": 0,
    "nodeDeadline": 0,
    "deadline": 0.5,
    "tolerations": {"key": "sku"},
    "tolerations.[].key": "a b",
    "tolerations.[].operator": "Like",
    "tolerations.[].value": True,
    "tolerations.[].effect": "Evict",
    "tolerations.[].tolerationSeconds": -1,
    "priorityClassName": "High",
    "runtimeClassName": "Nvidia",
    "podAnnotations.*": 1,
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
FIELDS = {
    "nodes.selector": ("agentpool", "agent pool"),
    "podAnnotations": ("note", "/note"),
}
RIGHT = [
    {"schedule": ""}, {"schedule": "*/30 0-5 * * 1,3"}, {"schedule": "@daily", "timeZone": "Europe/Berlin"}, {"suspend": True}, {"shmSize": ""},
    {"nodes": {"selector": {"agentpool": "gpu"}, "expected": "gpu-[0001-0100,7],login"}}, {"gpusPerNode": 0},
    {"rdma": {"resource": "", "count": 0}}, {"rdma": {"resource": "rdma/ib", "count": 1}}, {"resources": {"cpu": 1.5, "memory": "16Gi"}},
    {"only": ["limits", "host_memory"], "skip": ["kernel_log"]}, {"nodeArguments": ["--confirm"]}, {"profileContent": '{"name": "own"}'},
    {"tolerations": [{"key": "a.b/c", "operator": "Exists", "effect": "NoSchedule"}]}, {"results": {"create": True}},
    {"results": {"claim": "own"}}, {"runtimeClassName": "nvidia", "priorityClassName": "low"}, {"image": {"repository": "localhost:5000/muster"}},
    {"podAnnotations": {"note": "text"}}, {"imagePullSecrets": [{"name": "one"}]}, {"global": {"anything": 1}},
]
# Beside each choice of the schema, and the fields without a default.
WITH_CHOICES = {}
NO_DEFAULT = {"": {"global"}, "rdma.": {"count"}}
