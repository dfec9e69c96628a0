# SPDX-License-Identifier: Apache-2.0
"""Volcano jobs of the tiny image, for tests of the rig itself."""
from cluster import TINY

# Every worker gives out its own name; the launcher asks all that Volcano lists and says what it got.
SERVE = "mkdir /tmp/www && hostname > /tmp/www/name && exec httpd -f -p 8080 -h /tmp/www"
ASK = "for host in $(cat /etc/volcano/worker.host); do timeout 5 wget -q -O - http://$host:8080/name || exit 1; done"


def task(name, replicas, script, **container):
    return {"name": name, "replicas": replicas, "template": {"spec": {
        "restartPolicy": "Never", "terminationGracePeriodSeconds": 1,
        "containers": [{"name": name, "image": TINY, "imagePullPolicy": "Never", "command": ["sh", "-c", script]} | container]}}}


def job(name, workers=2, gpus=0, ask=ASK):
    """A launcher that starts once every worker answers, and whose end ends the job; each worker wants so many GPUs."""
    resources = {"limits": {"nvidia.com/gpu": gpus}} if gpus else {}
    launcher = task("launcher", 1, ask)
    launcher["dependsOn"] = {"name": ["worker"]}
    launcher["policies"] = [{"event": "TaskCompleted", "action": "CompleteJob"}, {"event": "PodFailed", "action": "TerminateJob"}]
    worker = task("worker", workers, SERVE, resources=resources,
                  readinessProbe={"tcpSocket": {"port": 8080}, "periodSeconds": 1})
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": name, "namespace": "default"}, "spec": {
        "schedulerName": "volcano", "minAvailable": workers, "maxRetry": 1, "plugins": {"svc": [], "ssh": []},
        "tasks": [launcher, worker]}}
