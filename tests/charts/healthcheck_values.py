# SPDX-License-Identifier: Apache-2.0
"""Values of the chart healthcheck that its schema refuses, and some that it takes."""
import shared_values

# A wrong value, of the right type where there is one, for each value of the schema that is no object with fields of its own:
# those of the charts, and its own. "[]" is an element of an array, "*" a field that a pattern names.
WRONG = shared_values.wrong(
    "global", "fullnameOverride", "image", "imagePullSecrets", "registryPrefix", "gpusPerNode", "gpuResource", "rdma",
    "resources", "shmSize", "tier", "profile", "profileContent", "deadline", "tolerations", "priorityClassName",
    "runtimeClassName", "podAnnotations", "security", "results") | {
    "schedule": "at night",
    "timeZone": "Europe Berlin",
    "suspend": "no",
    "history": 0,
    "nodes.selector.*": True,
    "nodes.expected": "gpu 1",
    "controllerResources.cpu": "",
    "controllerResources.memory": "",
    "only": "limits",
    "only.[]": "Limits",
    "skip": "limits",
    "skip.[]": "a,b",
    "nodeArguments": "--confirm",
    "nodeArguments.[]": "",
    "whenBusy": "kill",
    "queue": "Q 1",
    "busyWait": 0,
    "atOnce": 0,
    "nodeDeadline": 0,
    "act.schedule": "later",
    "act.apply": "yes",
    "act.most": -1,
    "act.mostShare": 1.5,
    "act.effect": "Evict",
    "act.oldest": 0,
    "act.condition": "true",
    "act.events": 1,
    "act.gate": "muster/unfit",
    "act.readinessRule": "muster/untested",
    "notify.schedule": "later",
    "notify.secret": "A Secret",
    "notify.secretKeys.url": "",
    "notify.secretKeys.key": "a key",
    "notify.secretKeys.headers": "a/b",
    "notify.secretKeys.ca": "../ca",
    "notify.template": "irc",
    "notify.templateContent": 1,
    "notify.source": "a b",
    "notify.redact": "yes",
    "notify.oldest": 0,
    "notify.whenInDoubt": "twice",
    "restrict": "yes",
}
# A field that a pattern of the schema takes, and one that it does not.
FIELDS = {
    "nodes.selector": shared_values.NODE_LABEL,
    "podAnnotations": shared_values.ANNOTATION,
}
RIGHT = shared_values.RIGHT + [
    {"schedule": ""}, {"schedule": "*/30 0-5 * * 1,3"}, {"schedule": "@daily", "timeZone": "Europe/Berlin"}, {"suspend": True}, {"shmSize": ""}, {"whenBusy": "idle-only"}, {"queue": "default"},
    {"nodes": {"selector": {"agentpool": "gpu"}, "expected": "gpu-[0001-0100,7],login"}}, {"gpusPerNode": 0},
    {"rdma": {"resource": "", "count": 0}}, {"rdma": {"resource": "rdma/ib", "count": 1}}, {"resources": {"cpu": 1.5, "memory": "16Gi"}},
    {"only": ["limits", "host_memory"], "skip": ["kernel_log"]}, {"nodeArguments": ["--confirm"]}, {"profileContent": '{"name": "own"}'},
    {"results": {"create": True}}, {"results": {"claim": "own"}}, {"restrict": False},
    {"act": {"schedule": "0 6 * * *", "apply": True, "most": 0, "mostShare": 1, "effect": "NoExecute", "oldest": 0.5}, "results": {"claim": "own"}},
    {"notify": {"schedule": "@daily", "secret": "chat", "secretKeys": {"url": "u", "key": "hmac.key", "headers": "h", "ca": "ca.crt"}, "template": "teams",
                "source": "https://west/muster", "redact": True, "oldest": 0.5, "whenInDoubt": "again"}, "results": {"claim": "own"}},
    {"act": {"schedule": "@daily"}, "results": {"create": True}, "restrict": False}, {"runtimeClassName": "nvidia"},
]
WITH_ACT = {"results": {"claim": "own"}, "nodes": {"selector": {"agentpool": "gpu"}}}
LISTENERS = {"schedule": "@daily", "condition": True, "events": True}
GATES = ("muster/untested", "untested", "example.com/a_b.c-d", "readiness.k8s.io/muster", "a" * 63, f"a.example/{'b' * 63}")
NO_GATES = ("muster/unfit", "node.kubernetes.io/x", "node-role.kubernetes.io/x", "a/b/c", "a b", "/x", "x/", "a..b/c", "-a/b", "A/b", "a/-b",
            "a" * 64, f"a.example/{'b' * 64}", "a,b", "a'b", "x\n")
RIGHT += [WITH_ACT | {"act": LISTENERS | {"gate": gate}} for gate in GATES]
RIGHT += [WITH_ACT | {"act": LISTENERS | {"apply": apply, "readinessRule": "readiness.k8s.io/muster-untested"}} for apply in (True, False)]
# Beside each choice of the schema, and the fields without a default.
WITH_CHOICES = {}
NO_DEFAULT = {"": {"global"}, "rdma.": {"count"}}
