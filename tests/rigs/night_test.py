# SPDX-License-Identifier: Apache-2.0
"""`muster fleet night` before an API server that plays a cluster: every node exactly once, and what became of the others."""
import collections
import itertools
import json
import os
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from api_server import PODS, World, status  # noqa: E402
from beside import each  # noqa: E402
from fleet import Fleet, Started, main  # noqa: E402
from muster import expect_refused, muster  # noqa: E402

NO_ROOM = "0/9 nodes are available: 1 Insufficient nvidia.com/gpu."


def node(name, ready="True", cordoned=False, **labels):
    return {"metadata": {"name": name, "resourceVersion": "1", "labels": labels},
            "spec": {"unschedulable": True} if cordoned else {},
            "status": {"conditions": [{"type": "Ready", "status": ready, "message": "container runtime is down"}]}}


def summary(state="pass", started=None, host="a-pod"):
    problem = {"status": state, "check": "cpu", "host": host, "metric": "cpu.speed", "labels": {"host": host, "nic": "mlx5_3"}, "count": 1, "reason": "it is slow",
               "fault": "cpu_slow", "action": "look"}
    return json.dumps({
        "schema": 1, "tool": {"name": "muster", "version": "0.1.0"}, "run_id": os.urandom(8).hex(),
        "started": started or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "host": host, "host_count": 1,
        "profile": "generic", "status": state, "summary": "text", "report": {"path": "r", "sha256": "0" * 64},
        "problems": [] if state in ("pass", "skip") else [problem], "omitted": 0})


def ended(message, code=0, reason="Completed"):
    return {"phase": "Failed" if code else "Succeeded", "containerStatuses": [
        {"name": "muster", "image": "m", "ready": False, "state": {"terminated": {"exitCode": code, "reason": reason, "message": message}}}]}


def waiting(reason, message=""):
    return {"phase": "Pending", "containerStatuses": [
        {"name": "muster", "image": "m", "ready": False, "state": {"waiting": {"reason": reason, "message": message}}}]}


def unschedulable(why):
    return {"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "message": why}]}


RUNNING = {"phase": "Running", "containerStatuses": [{"name": "muster", "image": "m", "ready": True, "state": {"running": {}}}],
           "conditions": [{"type": "Ready", "status": "True"}]}
GONE = None


class Cluster(World):
    """Its nodes, and the pods that are made for them; `fates` says what the status of each node's pod is, or a function of the
    seconds since it was made."""

    def __init__(self, nodes, fates=(), **more):
        super().__init__(nodes=nodes, page=40, **more)
        self.work = []  # pods of others
        self.fates = dict(fates)
        self.pods, self.made, self.deleted = {}, collections.Counter(), []
        self.lock = threading.Lock()

    def create(self, path, thing):
        place, = thing["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        of, = place["matchFields"][0]["values"]
        name = thing["metadata"]["name"]
        with self.lock:
            if path != PODS or name in self.pods:
                return 409, status(409, "it exists already", "AlreadyExists")
            self.made[of] += 1
            self.pods[name] = (thing, of, time.monotonic())
        return 201, thing

    def delete(self, path):
        with self.lock:
            self.deleted.append(path.removeprefix(PODS + "/"))
            found = self.pods.pop(self.deleted[-1], None)
        return (200, found[0]) if found else (404, status(404, "pods not found"))

    def state(self, of, since):
        fate = self.fates.get(of, lambda seconds: ended(summary()) if seconds > 0.5 else RUNNING)
        return fate(time.monotonic() - since) if callable(fate) else fate

    def answer(self, path, query):
        if path == "/api/v1/nodes":
            key, _, value = query.get("labelSelector", "").partition("=")
            return 200, self.page_of("NodeList", query, [each for each in self.nodes.values()
                                                         if not key or each["metadata"]["labels"].get(key) == value])
        if path == PODS:
            with self.lock:
                found = [(thing, self.state(of, since)) for thing, of, since in self.pods.values()
                         if query["labelSelector"] == f"muster/night={thing['metadata']['labels']['muster/night']}"]
            return 200, self.page_of("PodList", query, [thing | {"status": state} for thing, state in found if state is not GONE])
        if path == "/api/v1/pods":
            return 200, self.page_of("PodList", query, self.work)
        return super().answer(path, query)

    def page_of(self, kind, query, items):
        first = int(query.get("continue", 0))
        more = {"continue": str(first + self.page)} if first + self.page < len(items) else {}
        return {"kind": kind, "apiVersion": "v1", "metadata": more, "items": items[first:first + self.page]}


class Night(Fleet):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.number = itertools.count()
        cls.pod = cls.folder / "pod.json"
        cls.pod.write_text(json.dumps({"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"app": "muster"}},
                                       "spec": {"containers": [{"name": "muster", "image": "m"}], "restartPolicy": "Never"}}))

    def start(self, world, *options):
        report = self.folder / f"{self.id()}-{next(self.number)}.json"
        run = Started(self, world, "night", "--pod", self.pod, "--namespace", "bench", "--name", "n1", "--report", report, *options)
        run.report = report
        self.addCleanup(run.process.wait)
        self.addCleanup(run.process.kill)
        return run

    def finish(self, run, code):
        """The status and the coverage of each node."""
        run.end()
        self.assertEqual(run.process.returncode, code, run.error + run.out)
        self.document = document = json.loads(run.report.read_text())
        self.reasons = {of["name"]: of["reason"] for of in document["nodes"]}
        return {of["name"]: (of["status"], of["coverage"]) for of in document["nodes"]}

    def night(self, world, *options, code=0):
        return self.finish(self.start(world, *options), code)

    def test_every_node_exactly_once_by_few_questions(self):
        names = [f"gpu-{number}.pool.internal" for number in range(250)]
        world = Cluster([node(name) for name in names])
        found = self.night(world, "--at-once", "100", "--owner", "me", "--owner-uid", "u1")
        self.assertEqual(found, dict.fromkeys(names, ("pass", "tested")))
        self.assertEqual(world.made, dict.fromkeys(names, 1))
        self.assertEqual((world.pods, len(world.deleted)), ({}, 250))
        self.assertLessEqual(len(world.requests), 3 * len(names))

    def test_a_pod_is_of_the_template_its_node_and_its_owner(self):
        world = Cluster([node("a", pool="gpu"), node("b", pool="cpu"), node("x" * 80, pool="gpu")], dict.fromkeys(("a", "x" * 80), RUNNING))
        run = self.start(world, "--selector", "pool=gpu", "--owner", "me", "--owner-uid", "u1")
        self.asked(world, 4)
        made = {of: thing for thing, of, _ in world.pods.values()}
        run.process.kill()
        run.end()
        self.assertEqual(set(made), {"a", "x" * 80})
        self.assertEqual(made["a"]["metadata"], {
            "name": "n1-a", "labels": {"app": "muster", "muster/night": "n1"}, "annotations": {"muster/node": "a"},
            "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "me", "uid": "u1"}]})
        self.assertLessEqual(len(made["x" * 80]["metadata"]["name"]), 63)

    def test_each_fault_is_named_and_nobody_else_suffers(self):
        fates = {"bad": ended(summary("fail"), 1, "Error"), "mute": ended("", 137, "OOMKilled"), "cut": ended(summary("fail")[:-80], 1, "Error"),
                 "torn": ended(summary()[:100], 1, "Error"), "harmed": ended(summary(), 137, "OOMKilled"), "idle": ended(summary("skip"), 3, "Error"),
                 "evicted": {"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."},
                 "deleted": lambda seconds: RUNNING if seconds < 1.5 else GONE, "odd": ended(summary(started="2016-11-25T03:00:00Z")),
                 "image": waiting("ErrImagePull", "no such image"), "endless": RUNNING}
        world = Cluster([node("good"), node("down", ready="Unknown"), node("shut", cordoned=True), *map(node, fates)], fates)
        found = self.night(world, "--nodes", "GOOD, gone", "--deadline", "12", code=1)
        missing = ("fail", "missing")
        self.assertEqual(found, {"good": ("pass", "tested"), "bad": ("fail", "tested"), "cut": ("fail", "tested"), "odd": ("unknown", "tested"), "idle": ("skip", "tested"), **dict.fromkeys(
            ("gone", "down", "shut", "mute", "torn", "harmed", "evicted", "deleted", "image", "endless"), missing)})
        for name, words in (("gone", "not among the nodes"), ("down", "container runtime is down"), ("shut", "cordoned"), ("mute", "OOMKilled"),
                            ("torn", "left no report"), ("harmed", "says pass and then ended badly"), ("evicted", "low on resource: memory"), ("deleted", "was deleted"),
                            ("odd", "clock is off"), ("image", "ErrImagePull: no such image"), ("endless", "no time for it within 12 s")):
            self.assertIn(words, self.reasons[name], name)
        self.assertEqual(world.made, dict.fromkeys(("good", *fates), 1))
        self.assertEqual(world.pods.keys() - {"n1-deleted"}, set())

    def test_the_problems_are_those_of_the_node_and_not_of_its_pod(self):
        world = Cluster([node("bad")], {"bad": ended(summary("fail"), 1, "Error")})
        self.night(world, code=1)
        problem, = self.document["nodes"][0]["problems"]
        self.assertEqual((problem["host"], problem["labels"]), ("bad", {"host": "bad", "nic": "mlx5_3"}))

    def test_a_node_in_use_is_skipped_or_waited_for(self):
        names = ("busy", "free")
        world = Cluster(map(node, names), {"busy": unschedulable(NO_ROOM)})
        found = self.night(world, "--busy-wait", "2")
        self.assertEqual(found, {"busy": ("skip", "skipped"), "free": ("pass", "tested")})
        self.assertEqual(self.reasons["busy"], f"it was in use: {NO_ROOM}")
        self.assertEqual(self.document["status"], "warn")
        world = Cluster(map(node, names), {"busy": lambda seconds: unschedulable(NO_ROOM) if seconds < 4 else ended(summary())})
        found = self.night(world, "--busy-wait", "2", "--when-busy", "wait")
        self.assertEqual(set(found.values()), {("pass", "tested")})

    def test_a_node_on_which_any_work_runs_is_skipped_when_told(self):
        def pod(on, namespace="team", name="train-0", phase="Running", owner=None, **labels):
            return {"metadata": {"name": name, "namespace": namespace, "labels": labels,
                                 "ownerReferences": [{"kind": owner}] if owner else []}, "spec": {"nodeName": on} if on else {},
                    "status": {"phase": phase}}

        world = Cluster(map(node, ("used", "starting", "idle", "away")))
        world.nodes["/api/v1/nodes/away"]["spec"]["unschedulable"] = True
        world.work = [
            *[pod("idle", name=f"done-{number}", phase=phase) for number, phase in enumerate(("Succeeded", "Failed") * 25)],
            pod("idle", owner="DaemonSet"), pod("idle", owner="Node"), pod("idle", "kube-system"), pod(None, phase="Pending"),
            pod("idle", "bench", "night-xyz"), pod("idle", "bench", "old", **{"muster/night": "n0"}),
            pod("used", owner="Job"), pod("used", name="train-1"), pod("starting", phase="Pending"), pod("away")]
        found = self.night(world, "--when-busy", "idle-only", "--owner", "night-xyz", "--owner-uid", "7", code=1)
        self.assertEqual(found, {"used": ("skip", "skipped"), "starting": ("skip", "skipped"), "idle": ("pass", "tested"), "away": ("fail", "missing")})
        self.assertEqual(self.reasons["used"], "it was in use: pod team/train-0 is on it")
        self.assertEqual(world.made, {"idle": 1})
        world.work = [pod("idle", "other", "night-xyz")]
        self.assertEqual(self.night(world, "--when-busy", "idle-only", "--owner", "night-xyz", "--owner-uid", "7", code=1)["idle"],
                         ("skip", "skipped"))

    def test_a_node_that_takes_no_pod_for_another_reason_is_missing(self):
        why = "0/1 nodes are available: 1 node(s) had untolerated taint(s)."
        self.assertEqual(self.night(Cluster([node("odd")], {"odd": unschedulable(why)}), "--busy-wait", "2", code=1),
                         {"odd": ("fail", "missing")})
        self.assertEqual(self.reasons["odd"], f"no pod can be started there: {why}")

    def test_trouble_is_told_and_waited_out(self):
        def check(trouble):
            world = Cluster([node("a"), node("b")], trouble=lambda _, number: trouble if number in (1, 3, 4, 6) else None)
            run = self.start(world, "--deadline", "60")
            self.assertEqual(set(self.finish(run, 0).values()), {("pass", "tested")}, run.error)
            self.assertEqual((world.made, world.pods), ({"a": 1, "b": 1}, {}))
            self.assertIn(f"muster fleet night: {'a right is missing' if trouble == 403 else 'the API server'}", run.error)

        each(self, check, [409, 429, 500, 403, "reset", "cut"])

    def test_a_deletion_whose_answer_is_lost_changes_no_reason(self):
        world = Cluster([node("busy"), node("mute")], {"busy": unschedulable(NO_ROOM), "mute": ended("", 137, "OOMKilled")})

        def lose(path, _):
            if path.startswith(f"{PODS}/") and path.removeprefix(f"{PODS}/") in world.pods:
                world.delete(path)
                return "cut"
            return None

        world.trouble = lose
        self.assertEqual(self.night(world, "--busy-wait", "1", code=1), {"busy": ("skip", "skipped"), "mute": ("fail", "missing")})
        self.assertIn("OOMKilled", self.reasons["mute"])

    def test_who_cannot_ask_for_nodes_knows_nothing(self):
        world = Cluster([node("a")], trouble=lambda path, _: 403 if path.endswith("nodes") else None)
        run = self.start(world, "--deadline", "3")
        self.assertEqual(self.finish(run, 3), {})
        self.assertIn("a right is missing", run.error)
        self.assertIn("UNKNOWN", run.out)

    def test_a_signal_ends_it_with_a_report_and_without_pods(self):
        world = Cluster([node("slow"), node("later")], {"slow": RUNNING})
        run = self.start(world, "--at-once", "1")
        self.asked(world, 4)
        run.process.send_signal(signal.SIGTERM)
        found = self.finish(run, 1)
        self.assertEqual(found["slow"], ("fail", "missing"))
        self.assertIn("stopped by a signal", self.reasons["slow"])
        self.assertEqual(world.pods, {})

    def test_bad_options(self):
        (self.folder / "none.json").write_text('{"kind": "Job"}')
        (self.folder / "cut.json").write_text('{"kind": "Pod"')
        for words, said in (((), "--pod"), (("--pod", "nowhere.json"), "nowhere.json"), (("--pod", "none.json"), "none.json"),
                            (("--pod", "cut.json"), "cut.json"), (("--pod", self.pod, "--name", "A"), "'A'"),
                            (("--pod", self.pod, "--name", "a" * 64), "63 characters"),
                            (("--pod", self.pod, "--report", "nowhere/f.json"), "folder nowhere"),
                            (("--pod", self.pod, "--at-once", "0"), "--at-once"), (("--pod", self.pod, "--nodes", "a["), "a["), (("--pod", self.pod, "--nodes", " "), "names no host"),
                            (("--pod", self.pod, "--when-busy", "kill"), "--when-busy"), (("--pod", self.pod), "KUBERNETES_SERVICE_HOST")):
            with self.subTest(words):
                expect_refused(self, muster("fleet", "night", *words, folder=self.folder), said)


if __name__ == "__main__":
    main()
