# SPDX-License-Identifier: Apache-2.0
"""Nodes that kwok plays before a real API server: each takes pods as a node does, and what a pod comes to is what a stage says."""
import contextlib
import json
import os
import pathlib
import subprocess

PLACE = pathlib.Path(__file__).parent
PLAYED = {"kwok.x-k8s.io/node": "fake"}


def node(name, played=True, cordoned=False):
    """One that is not played is there, and never says a word."""
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "annotations": PLAYED if played else {}, "labels": {"type": "kwok"}},
            "spec": {"unschedulable": cordoned}}


def stage(name, kind, status, *, on=(), phases=None, delay=0):
    """What becomes of a node or a pod: the status, a template of Go, that it then has; of pods those on these nodes."""
    conditions = [{"key": ".metadata.deletionTimestamp", "operator": "DoesNotExist"}]
    if kind == "Node":
        conditions.append({"key": ".status.phase", "operator": "DoesNotExist"})
    else:
        conditions += [{"key": ".status.phase", "operator": "In", "values": phases}, {"key": ".spec.nodeName", "operator": "In", "values": list(on)}]
    return {"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "Stage", "metadata": {"name": name}, "spec": {
        "resourceRef": {"apiGroup": "v1", "kind": kind}, "selector": {"matchExpressions": conditions},
        "delay": {"durationMilliseconds": delay}, "next": {"statusTemplate": status}}}


def ready_nodes():
    """Each has room for its pods, and is ready."""
    room = json.dumps({"cpu": "64", "memory": "512Gi", "pods": "110"})
    return stage("node", "Node", f"""
phase: Running
capacity: {room}
allocatable: {room}
conditions:
- {{type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: {{{{ Now | Quote }}}}, lastTransitionTime: {{{{ Now | Quote }}}}}}
""")


def ended_pods(name, nodes, message, code=0, delay=300):
    """On these nodes pods end with that termination message, in which {{ Now }} is the time."""
    return stage(name, "Pod", f"""
phase: {"Failed" if code else "Succeeded"}
containerStatuses:
{{{{ range .spec.containers }}}}
- name: {{{{ .name | Quote }}}}
  image: {{{{ .image | Quote }}}}
  imageID: ""
  ready: false
  restartCount: 0
  state:
    terminated: {{exitCode: {code}, startedAt: {{{{ Now | Quote }}}}, finishedAt: {{{{ Now | Quote }}}}, message: '{message}'}}
{{{{ end }}}}
""", on=nodes, phases=["Pending"], delay=delay)


def deleted_pods():
    """They go when they are told."""
    return {"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "Stage", "metadata": {"name": "deleted"}, "spec": {
        "resourceRef": {"apiGroup": "v1", "kind": "Pod"},
        "selector": {"matchExpressions": [{"key": ".metadata.deletionTimestamp", "operator": "Exists"}]},
        "next": {"finalizers": {"empty": True}, "delete": True}}}


@contextlib.contextmanager
def play(cluster, nodes, stages):
    """Goes on when those that are played are ready."""
    made = subprocess.run([PLACE / "build.sh", "kwok"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    file = cluster.folder / "stages.yaml"
    file.write_text("---\n".join(json.dumps(stage) + "\n" for stage in (ready_nodes(), deleted_pods(), *stages)))
    cluster.apply(*nodes)
    words = [f"{made}/bin/kwok", "--kubeconfig", cluster.state / "admin.conf", "--config", file,
             "--manage-nodes-with-annotation-selector", "kwok.x-k8s.io/node=fake", "--server-address", "127.0.0.1:10270"]
    played = {each["metadata"]["name"] for each in nodes if each["metadata"]["annotations"]}

    def are_ready():
        found = cluster.get("nodes", "--selector", "type=kwok")["items"]
        return played <= {each["metadata"]["name"] for each in found for condition in each.get("status", {}).get("conditions", [])
                          if condition["type"] == "Ready" and condition["status"] == "True"
                          and not [taint for taint in each["spec"].get("taints", []) if taint["key"].startswith("node.kubernetes.io/not-ready")]}

    with open(cluster.folder / "kwok.log", "wb") as log, \
            cluster.background(*words, stdout=log, stderr=log, env=os.environ | {"TZ": "UTC"}):
        cluster.wait(60, are_ready)
        yield
