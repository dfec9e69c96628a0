# SPDX-License-Identifier: Apache-2.0
"""The chart healthcheck in a real cluster of two nodes: nights by a CronJob, once each, and what they find."""
import json
import pathlib
import time

from profiles import open_files
from releases import IMAGE, SOURCE, TwoNodes, main

CHART = SOURCE / "charts/healthcheck"
NODES = ("node1", "node2")
FOREIGN = {"key": "sku", "value": "cpu", "effect": "PreferNoSchedule"}
GOOD = dict.fromkeys(NODES, ("pass", "tested"))
VALUES = {"image": IMAGE, "gpusPerNode": 0, "schedule": "0 3 1 1 *",
          "tier": "preflight", "only": ["limits"], "nodeArguments": ["--even-if-in-use"], "busyWait": 5, "nodeDeadline": 60, "deadline": 90,
          "resources": {"cpu": "200m", "memory": "128Mi"}, "controllerResources": {"cpu": "100m", "memory": "128Mi"}}


class Healthcheck(TwoNodes):
    def install(self, name, **values):
        self.reports = self.cluster.volume(name, self.place.name)
        file = pathlib.Path(self.place.name, f"{name}.json")
        file.write_text(json.dumps(VALUES | {"profileContent": open_files(1), "results": {"claim": name}} | values))
        self.cluster.helm("install", name, CHART, "--values", file)
        self.addCleanup(self.cluster.helm, "uninstall", name)

    def upgrade(self, name, **values):
        file = pathlib.Path(self.place.name, f"{name}.json")
        file.write_text(json.dumps(values))
        self.cluster.helm("upgrade", name, CHART, "--reuse-values", "--values", file)

    def begin(self, name, job):
        self.cluster.kubectl("create", "job", f"--from=cronjob/{name}", job)
        self.addCleanup(self.cluster.kubectl, "delete", "job", job)

    def night(self, name, job, succeeds=True):
        """The status and the coverage of each node, after a night that begins now."""
        self.begin(name, job)
        return self.end(job, succeeds)

    def said(self, job, succeeds):
        """By a job that has come to its end."""
        start = time.monotonic()
        status = self.cluster.wait(120, lambda: [condition["type"] for condition in self.cluster.get("job", job)["status"].get("conditions", [])
                                                 if condition["status"] == "True" and condition["type"] in ("Complete", "Failed")])
        said = self.cluster.kubectl("logs", f"job/{job}").stdout
        print(f"{job}: {status[0]} after {time.monotonic() - start:.1f} s\n{said}")
        self.assertEqual(status, ["Complete" if succeeds else "Failed"], said)
        return said

    def end(self, job, succeeds=True):
        self.said(job, succeeds)
        self.assertFalse([pod for pod in self.cluster.pods(f"muster/night={job}")])
        document = json.loads((self.reports / f"{job}.json").read_text())
        self.reasons = {node["name"]: node["reason"] for node in document["nodes"]}
        return {node["name"]: (node["status"], node["coverage"]) for node in document["nodes"]}

    def test_two_nights_test_every_node_once_and_are_kept(self):
        self.install("fleet")
        for job in ("fleet-1", "fleet-2"):
            self.assertEqual(self.night("fleet", job), GOOD)
        first, second = (json.loads((self.reports / f"fleet-{number}.json").read_text()) for number in (1, 2))
        self.assertEqual(second["previous"], {key: first[key] for key in ("run_id", "made")})
        self.assertEqual({node["name"]: node["before"] for node in second["nodes"]}, dict.fromkeys(NODES, "pass"))

    def test_its_own_schedule_starts_it(self):
        self.install("minutely", schedule="* * * * *", history=1)
        job = self.cluster.wait(90, lambda: self.jobs_of("minutely"))[0]
        self.assertEqual(self.end(job), GOOD)

    def jobs_of(self, name):
        return [job["metadata"]["name"] for job in (self.cluster.get("jobs") or {"items": []})["items"]
                if job["metadata"]["name"].startswith(f"{name}-")]

    def test_once_without_a_schedule(self):
        self.install("once", schedule="")
        self.assertEqual(self.end("once-1"), GOOD)

    def test_a_profile_that_no_node_meets_makes_the_job_fail(self):
        self.install("strict", profileContent=open_files(10 ** 12))
        self.assertEqual(set(self.night("strict", "strict-1", succeeds=False).values()), {("fail", "tested")})

    def test_nodes_that_are_gone_cordoned_or_down_make_it_fail(self):
        self.install("gaps", nodes={"expected": "node[1-3]"})
        self.cluster.kubectl("cordon", "node2")
        self.addCleanup(self.cluster.kubectl, "uncordon", "node2")
        self.assertEqual(self.night("gaps", "gaps-1", succeeds=False), {
            "node1": ("pass", "tested"), "node2": ("fail", "missing"), "node3": ("fail", "missing")})
        self.assertIn("cordoned", self.reasons["node2"])

    def act(self, name, job, succeeds=True):
        self.begin(f"{name}-act", job)
        return self.said(job, succeeds)

    def marks(self):
        """Label and taints of each node."""
        found = {node: self.cluster.get("node", node) for node in NODES}
        return {node: (each["metadata"]["labels"].get("muster/unfit"), each["spec"].get("taints", [])) for node, each in found.items()}

    def fit(self):
        """Of each node the condition MusterFit: its status and reason."""
        found = {node: [each for each in self.cluster.get("node", node)["status"]["conditions"] if each["type"] == "MusterFit"] for node in NODES}
        return {node: (each["status"], each["reason"]) for node, conditions in found.items() for each in conditions}

    def events(self):
        found = self.cluster.get("events")["items"]
        return [(each["involvedObject"]["name"], each["reason"]) for each in found if each["source"].get("component") == "muster"]

    def test_the_node_that_fails_is_told_of_when_told_and_that_is_taken_back_when_it_passes(self):
        """Its runtime allows fewer open files than are wanted, and then are not: nobody here may raise that limit again."""
        gate = {"key": "muster/untested", "effect": "NoSchedule"}
        for taint in ("sku=cpu:PreferNoSchedule", "muster/untested:NoSchedule"):
            self.cluster.kubectl("taint", "node", "node2", taint)
        self.addCleanup(self.cluster.kubectl, "taint", "node", "node2", "sku-", "muster/untested-", check=False)
        untouched = {"node1": (None, []), "node2": (None, [gate, FOREIGN])}
        self.cluster.run("prlimit", "--pid", self.cluster.process("containerd2"), "--nofile=500")
        self.install("marks", profileContent=open_files(1000),
                     act={"schedule": "0 6 1 1 *", "condition": True, "events": True, "gate": "muster/untested"})
        self.assertEqual(self.night("marks", "marks-1", succeeds=False), {"node1": ("pass", "tested"), "node2": ("fail", "tested")})
        said = self.act("marks", "marks-dry")
        for line in (r"node2: dry run: marks it muster/unfit=open_files_too_low .*", r"node1: dry run: tells that MusterFit is True .*",
                     r"node2: dry run: tells that MusterFit is False .*"):
            self.assertRegex(said, f"(?m)^{line}$")
        self.assertEqual((self.marks(), self.fit(), self.events()), (untouched, {}, []))
        self.upgrade("marks", act={"apply": True})
        self.assertEqual(self.act("marks", "marks-told"), said.replace("dry run: ", ""))
        ours = {"key": "muster/unfit", "value": "open_files_too_low", "effect": "NoSchedule"}
        self.assertEqual(self.marks(), untouched | {"node2": ("open_files_too_low", [gate, FOREIGN, ours])})
        self.assertEqual(self.fit(), {"node1": ("True", "Passed"), "node2": ("False", "OpenFilesTooLow")})
        self.assertEqual(self.events(), [("node2", "MusterUnfit")])
        self.upgrade("marks", profileContent=open_files(400))
        self.assertEqual(self.night("marks", "marks-2"), GOOD)
        said = self.act("marks", "marks-off")
        for line in ("node2: takes its mark off", "node2: takes muster/untested off", r"node2: tells that MusterFit is True .*"):
            self.assertRegex(said, f"(?m)^{line}$")
        self.assertEqual(self.marks(), {"node1": (None, []), "node2": (None, [FOREIGN])})
        self.assertEqual(self.fit(), dict.fromkeys(NODES, ("True", "Passed")))
        self.assertEqual(sorted(self.events()), [("node2", "MusterFit"), ("node2", "MusterUnfit")])

    def test_accounts_can_do_what_they_must_and_nothing_else(self):
        self.install("rights", act={"schedule": "0 6 1 1 *", "apply": True})

        def patch(kind, changes):
            return self.cluster.kubectl_as("rights-act", "patch", "node", "node1", "--type", kind, "--dry-run=server", "--patch", json.dumps(changes))

        def pod(account):
            made = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}, "spec": {
                "serviceAccountName": account, "containers": [{"name": "one", "image": "localhost/tiny:1"}]}}
            return self.cluster.kubectl_as("rights-night", "create", "--validate=false", "--dry-run=server", "--filename", "-", input=json.dumps(made))

        ours = {"metadata": {"labels": {"muster/unfit": "a"}, "annotations": {"muster/marked-by": "b", "muster/reason": "c"}},
                "spec": {"taints": [{"key": "muster/unfit", "value": "a", "effect": "NoSchedule"}]}}
        for made in (patch("strategic", ours), pod("rights-node")):
            self.assertEqual(made.returncode, 0, made.stderr)
        for made, words in (
                (patch("strategic", {"metadata": {"labels": {"other": "a"}}}), "no labels of others"),
                (patch("strategic", {"metadata": {"labels": {"kubernetes.io/hostname": None}}}), "no labels of others"),
                (patch("strategic", {"metadata": {"annotations": {"other": "a"}}}), "no annotations of others"),
                (patch("strategic", {"spec": {"taints": [{"key": "other", "effect": "NoSchedule"}]}}), "no taints of others"),
                (patch("strategic", {"spec": {"unschedulable": True}}), "labels, annotations and taints alone"),
                (patch("strategic", {"spec": {"providerID": "azure://other"}}), "labels, annotations and taints alone"),
                (patch("strategic", {"metadata": {"finalizers": ["a.example/b"]}}), "labels, annotations and taints alone"),
                (pod("rights-act"), "of the nodes' account alone"), (pod("default"), "of the nodes' account alone"),
                (self.cluster.kubectl_as("rights-act", "get", "pods"), "cannot list"),
                (self.cluster.kubectl_as("rights-night", "taint", "node", "node1", "a=b:NoSchedule"), "cannot get"),
                (self.cluster.kubectl_as("rights-node", "get", "nodes"), "cannot list")):
            with self.subTest(words, said=made.stderr):
                self.assertNotEqual(made.returncode, 0, made.stdout)
                self.assertIn(words, made.stderr)

    def use(self, node, cores):
        self.cluster.apply({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "user", "namespace": "default"}, "spec": {
            "nodeName": node, "terminationGracePeriodSeconds": 0, "containers": [
                {"name": "user", "image": "localhost/tiny:1", "imagePullPolicy": "Never", "command": ["sleep", "600"],
                 "resources": {"requests": {"cpu": cores}}}]}})
        self.addCleanup(self.cluster.kubectl, "delete", "pod", "user", "--now")

    def test_a_node_in_use_is_skipped_with_the_reason(self):
        self.use("node2", self.free_cores("node2"))
        self.install("busy", nodes={"selector": {"kubernetes.io/hostname": "node2"}})
        self.assertEqual(self.night("busy", "busy-1"), {"node2": ("skip", "skipped")})
        self.assertIn("Insufficient cpu", self.reasons["node2"])

    def test_volcano_places_the_pods_where_it_has_a_queue_for_them(self):
        self.install("queued", queue="default")
        self.assertEqual(self.night("queued", "queued-1"), GOOD)
        placed = [event for event in self.cluster.get("events")["items"]
                  if event["reason"] == "Scheduled" and event["involvedObject"]["name"].startswith("queued-1-node")]
        self.assertEqual([event["reportingComponent"] or event["source"]["component"] for event in placed], ["volcano"] * 2)
        self.use("node2", self.free_cores("node2"))
        self.assertEqual(self.night("queued", "queued-2"), {"node1": ("pass", "tested"), "node2": ("skip", "skipped")})

    def test_a_node_on_which_anything_runs_is_skipped_when_told(self):
        self.use("node2", "10m")
        self.install("idle", whenBusy="idle-only")
        self.assertEqual(self.night("idle", "idle-1"), {"node1": ("pass", "tested"), "node2": ("skip", "skipped")})
        self.assertEqual(self.reasons["node2"], "it was in use: pod default/user is on it")

    def free_cores(self, node):
        """All but fewer than a pod of a night wants."""
        return f"{int(self.cluster.get('node', node)['status']['allocatable']['cpu']) * 1000 - 150}m"


if __name__ == "__main__":
    main()
