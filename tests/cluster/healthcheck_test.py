# SPDX-License-Identifier: Apache-2.0
"""The chart healthcheck in a real cluster of two nodes: nights by a CronJob, once each, and what they find."""
import json
import pathlib
import time

from profiles import open_files
from releases import IMAGE, SOURCE, TwoNodes, main

CHART = SOURCE / "charts/healthcheck"
NODES = ("node1", "node2")
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

    def night(self, name, job, succeeds=True):
        """The status and the coverage of each node, after a night that begins now."""
        self.cluster.kubectl("create", "job", f"--from=cronjob/{name}", job)
        self.addCleanup(self.cluster.kubectl, "delete", "job", job)
        return self.end(job, succeeds)

    def end(self, job, succeeds=True):
        start = time.monotonic()
        status = self.cluster.wait(120, lambda: [condition["type"] for condition in self.cluster.get("job", job)["status"].get("conditions", [])
                                                 if condition["status"] == "True" and condition["type"] in ("Complete", "Failed")])
        said = self.cluster.kubectl("logs", f"job/{job}").stdout
        print(f"{job}: {status[0]} after {time.monotonic() - start:.1f} s\n{said}")
        self.assertEqual(status, ["Complete" if succeeds else "Failed"], said)
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

    def test_a_node_in_use_is_skipped_with_the_reason(self):
        self.cluster.apply({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "user", "namespace": "default"}, "spec": {
            "nodeName": "node2", "terminationGracePeriodSeconds": 0, "containers": [
                {"name": "user", "image": "localhost/tiny:1", "imagePullPolicy": "Never", "command": ["sleep", "600"],
                 "resources": {"requests": {"cpu": self.free_cores("node2")}}}]}})
        self.addCleanup(self.cluster.kubectl, "delete", "pod", "user", "--now")
        self.install("busy", nodes={"selector": {"kubernetes.io/hostname": "node2"}})
        found = self.night("busy", "busy-1", succeeds=True)
        self.assertEqual(found, {"node2": ("skip", "skipped")})
        self.assertIn("Insufficient cpu", self.reasons["node2"])

    def free_cores(self, node):
        """All but fewer than a pod of a night wants."""
        return f"{int(self.cluster.get('node', node)['status']['allocatable']['cpu']) * 1000 - 150}m"


if __name__ == "__main__":
    main()
