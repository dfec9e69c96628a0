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


def field(key, *values):
    """What a stage is for: things with one of these values there; without any, those that have none."""
    return {"key": key, **({"operator": "In", "values": values} if values else {"operator": "DoesNotExist"})}


def stage(name, kind, conditions, then, milliseconds=0):
    """What becomes of nodes or pods that meet the conditions, after some time."""
    return {"apiVersion": "kwok.x-k8s.io/v1alpha1", "kind": "Stage", "metadata": {"name": name}, "spec": {
        "resourceRef": {"apiGroup": "v1", "kind": kind}, "selector": {"matchExpressions": conditions},
        "delay": {"durationMilliseconds": milliseconds}, "next": then}}


def ready_nodes():
    """Each has room for its pods, and is ready."""
    room = json.dumps({"cpu": "64", "memory": "512Gi", "pods": "110"})
    return stage("node", "Node", [field(".status.phase")], {"statusTemplate": f"""
phase: Running
capacity: {room}
allocatable: {room}
conditions:
- {{type: Ready, status: "True", reason: KubeletReady, lastHeartbeatTime: {{{{ Now | Quote }}}}, lastTransitionTime: {{{{ Now | Quote }}}}}}
"""})


def ended_pods(name, nodes, message, code=0):
    """On these nodes pods end with that termination message, in which {{ Now }} is the time."""
    conditions = [field(".metadata.deletionTimestamp"), field(".status.phase", "Pending"), field(".spec.nodeName", *nodes)]
    return stage(name, "Pod", conditions, {"statusTemplate": f"""
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
"""}, milliseconds=300)


def deleted_pods():
    """They go when they are told."""
    return stage("deleted", "Pod", [{"key": ".metadata.deletionTimestamp", "operator": "Exists"}], {"finalizers": {"empty": True}, "delete": True})


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
