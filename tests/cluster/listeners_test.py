# SPDX-License-Identifier: Apache-2.0
"""Conditions, Events, marks and a gate in a cluster, by the account of the chart healthcheck: each tells of a healthy, a failing and
an untested node, takes it back, and touches nothing of others."""
import base64
import json
import pathlib
import subprocess
import tempfile

from listeners import BIN, FOREIGN, GATE, NODES, TESTED, THEIRS, UNFIT, Listeners, main, now, report

WHY = "ib_link.state: the link is DOWN"


class ByTheChart(Listeners):
    # What the CronJob's pod would do, with its words and its account.

    def fleet(self, **kinds):
        """The report of the fleet whose nodes left these reports."""
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            for name, kind in kinds.items():
                pathlib.Path(folder, f"{name}.json").write_text(report(kind, name))
            file = self.place / "fleet.json"
            subprocess.run([BIN / "muster", "fleet", "collect", folder, "--nodes", ",".join(TESTED), "--report", file], check=False,
                           capture_output=True)
        return file

    def act(self, file, code=0):
        token = self.place / "token"
        token.write_text(self.cluster.kubectl("create", "token", "fleet-act").stdout.strip())
        job = self.cluster.get("cronjob", "fleet-act")["spec"]["jobTemplate"]["spec"]["template"]["spec"]
        self.assertEqual(job["serviceAccountName"], "fleet-act")
        words = job["containers"][0]["args"]
        self.assertEqual(words[:3], ["fleet", "act", "/results"])
        authority = self.place / "ca"
        authority.write_text(self.cluster.get("configmap", "kube-root-ca.crt")["data"]["ca.crt"])
        run = self.cluster.run(BIN / "muster", *words[:2], file, *words[3:], "--server", self.server, "--ca", authority, "--token", token, check=False)
        print(run.stdout + run.stderr)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def events(self):
        found = self.cluster.get("events", "--namespace", "default")["items"]
        return sorted((each["involvedObject"]["name"], each["type"], each["reason"], each["message"]) for each in found
                      if each["source"].get("component") == "muster" and each["reason"] in ("MusterFit", "MusterUnfit"))

    def test_1_a_dry_run_changes_nothing_and_may_change_nothing(self):
        before = self.others()
        self.assertEqual(self.marks(), dict.fromkeys(NODES, (None, [FOREIGN, GATE])))
        said = self.act(self.fleet(healthy="pass", failing="fail"))
        for line in ("failing: dry run: marks it", "healthy: dry run: takes muster/untested off", "untested: dry run: tells that MusterFit is Unknown"):
            self.assertIn(line, said)
        self.assertEqual((self.marks(), self.fit(), self.events()), (dict.fromkeys(NODES, (None, [FOREIGN, GATE])), {}, []))
        self.assertEqual(self.others(), before)
        self.assertEqual(self.rights("fleet-act", "default"), {("", "nodes"): {"get", "list"}})
        self.assertIs(self.cluster.get("nodereadinessrule", "fleet.default")["spec"]["dryRun"], True)

    def test_2_each_listener_tells_the_verdict_and_takes_it_back(self):
        before = self.others()
        self.apply(True)
        self.assertIs(self.cluster.get("nodereadinessrule", "fleet.default")["spec"]["dryRun"], False)
        self.act(self.fleet(healthy="pass", failing="fail"))
        self.assertEqual(self.fit(), {"healthy": ("True", "Passed"), "failing": ("False", "IbPortDown"), "untested": ("Unknown", "NotTested")})
        self.assertEqual(self.conditions("failing")["MusterFit"]["message"], WHY)
        self.assertEqual(self.marks(), {"healthy": (None, [FOREIGN]), "failing": ("ib_port_down", [FOREIGN, GATE, UNFIT]),
                                        "untested": (None, [FOREIGN, GATE]), "stranger": (None, [FOREIGN, GATE])})
        told = [("failing", "Warning", "MusterUnfit", WHY), ("healthy", "Normal", "MusterFit", "it passed, and muster/untested is taken off")]
        self.assertEqual(self.events(), told)
        self.assertIn("MusterUnfit", self.cluster.kubectl("describe", "node", "failing").stdout)
        self.assertEqual(self.others(), before)
        self.act(self.place / "fleet.json")  # which is no news
        self.assertEqual(self.events(), told)

        self.act(self.fleet(healthy="fail", failing="pass", untested="pass"))
        self.assertEqual(self.fit(), {"healthy": ("False", "IbPortDown"), "failing": ("True", "Passed"), "untested": ("True", "Passed")})
        self.assertEqual(self.marks(), {"healthy": ("ib_port_down", [FOREIGN, UNFIT]), "failing": (None, [FOREIGN]),
                                        "untested": (None, [FOREIGN]), "stranger": (None, [FOREIGN, GATE])})
        self.assertIn(("failing", "Normal", "MusterFit", "it passed again"), self.events())
        self.assertEqual(self.others(), before)

        old = json.loads((self.place / "fleet.json").read_text()) | {"made": now(hours=13)}
        (self.place / "fleet.json").write_text(json.dumps(old))
        self.act(self.place / "fleet.json", code=2)
        self.assertEqual(self.fit(), {"healthy": ("False", "IbPortDown"), "failing": ("True", "Passed"), "untested": ("True", "Passed")})
        for name in TESTED:
            self.cluster.kubectl("patch", "node", name, "--subresource=status", "--patch", json.dumps(
                {"status": {"conditions": [{"type": "MusterFit", "lastHeartbeatTime": now(hours=13)}]}}))
        self.act(self.place / "fleet.json", code=2)
        old = ("Unknown", "Outdated")
        self.assertEqual(self.fit(), {"healthy": ("False", "IbPortDown"), "failing": old, "untested": old})  # the first bears a mark
        self.assertEqual(self.others(), before)

    def rights(self, account, namespace):
        """All that an account may do there with objects, by group and resource, but to ask for its own rights."""
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": {"namespace": namespace}}
        found = self.cluster.kubectl_as(account, "create", "--validate=false", "--filename", "-", "--output", "json", input=json.dumps(review))
        self.assertEqual(found.returncode, 0, found.stderr)
        rights = {}
        for rule in json.loads(found.stdout)["status"]["resourceRules"]:
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    if group not in ("authorization.k8s.io", "authentication.k8s.io"):
                        rights.setdefault((group, resource), set()).update(rule["verbs"])
        return rights

    def ask(self, account, method, path, body=None, kind="application/json"):
        """Why the API server refuses what an account asks of it, in a dry run where it would change something; None where it does not."""
        view = self.view["clusters"][0]["cluster"]
        authority = self.place / "authority"
        authority.write_bytes(base64.b64decode(view["certificate-authority-data"]))
        token = self.cluster.kubectl("create", "token", account).stdout.strip()
        words = ["curl", "--silent", "--show-error", "--cacert", authority, "--request", method, "--header", f"Authorization: Bearer {token}",
                 "--header", f"Content-Type: {kind}", *(() if body is None else ("--data", json.dumps(body)))]
        answer = json.loads(self.cluster.run(*words, f"{self.server}{path}{'' if method == 'GET' else '?dryRun=All'}").stdout)
        return answer["message"] if answer["kind"] == "Status" and answer["status"] == "Failure" else None

    def test_3_the_account_may_do_that_and_nothing_else(self):
        self.apply(True)
        everywhere = {("", "nodes"): {"get", "list", "patch"}, ("", "nodes/status"): {"patch"}}
        self.assertEqual(self.rights("fleet-act", "kube-system"), everywhere)
        self.assertEqual(self.rights("fleet-act", "default"), everywhere | {("", "events"): {"create"}})
        self.assertEqual(self.rights("fleet-node", "default"), {})
        self.assertEqual(self.rights("fleet-night", "default"), {("", "nodes"): {"list"}, ("", "pods"): {"create", "list", "delete"}})
        self.cluster.kubectl("taint", "node", "healthy", f"{GATE['key']}=:NoSchedule", "--overwrite")
        taints = {name: self.cluster.get("node", name)["spec"]["taints"] for name in ("healthy", "failing")}
        without = [taint for taint in taints["healthy"] if taint["key"] != GATE["key"]]
        self.assertEqual(len(without), len(taints["healthy"]) - 1)

        def patch(changes, place="healthy", kind="strategic-merge"):
            return self.ask("fleet-act", "PATCH", f"/api/v1/nodes/{place}", changes, f"application/{kind}-patch+json")

        def status(changes):
            return patch({"status": changes}, "healthy/status")

        def event(namespace="default", **fields):
            made = {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "a", "namespace": namespace}, "type": "Normal", "message": "a",
                    "reason": "MusterFit", "source": {"component": "muster"}, "involvedObject": {"apiVersion": "v1", "kind": "Node", "name": "healthy"}}
            return self.ask("fleet-act", "POST", f"/api/v1/namespaces/{namespace}/events", made | fields)

        fit = {"type": "MusterFit", "status": "True", "reason": "a", "message": "b"}
        for number, said in enumerate((status({"conditions": [fit]}), status({"conditions": [{"$patch": "delete", "type": "MusterFit"}]}), event(),
                                       patch({"spec": {"taints": without}}), patch({"metadata": {"labels": {"muster/unfit": "a"}}}))):
            with self.subTest(number):
                self.assertIsNone(said)
        on_theirs, alone, marks_alone = "changes no conditions of others", "the condition MusterFit alone", "labels, annotations and taints alone"
        for said, words in (
                (status({"conditions": [{"type": "Ready", "status": "False"}]}), on_theirs),
                (status({"conditions": [fit, THEIRS | {"message": "c"}]}), on_theirs),
                (status({"conditions": [{"type": "MusterFit2", "status": "True"}]}), on_theirs),
                (status({"conditions": [{"$patch": "delete", "type": "Theirs"}]}), on_theirs),
                (status({"capacity": {"nvidia.com/gpu": "8"}}), alone), (status({"capacity": {"cpu": None}}), alone),
                (status({"addresses": [{"type": "InternalIP", "address": "10.9.9.9"}]}), alone), (status({"images": [{"names": ["a/b:c"]}]}), alone),
                (patch([{"op": "remove", "path": "/status/phase"}], "healthy/status", "json"), alone),
                (patch({"metadata": {"labels": {"muster/unfit": "a"}}}, "healthy/status"), "no labels of others"),
                (patch({"metadata": {"annotations": {"muster/reason": "a"}}}, "healthy/status"), "no annotations of others"),
                (patch({"metadata": {"finalizers": ["a.example/b"]}}, "healthy/status"), marks_alone),
                (patch({"spec": {"taints": [*taints["failing"], GATE]}}, "failing"), "gives it to none"),
                (patch({"spec": {"taints": [*without, GATE | {"effect": "NoExecute"}]}}), "gives it to none"),
                (patch({"spec": {"taints": [*without, GATE | {"value": "a"}]}}), "gives it to none"),
                (patch({"spec": {"taints": [each for each in without if each["key"] != FOREIGN["key"]]}}), "no taints of others"),
                (patch({"spec": {"taints": None}}, kind="merge"), "no taints of others"),
                (patch({"spec": {"unschedulable": True}}), marks_alone), (patch({"spec": {"podCIDR": "10.1.0.0/24"}}), marks_alone),
                (event(involvedObject={"apiVersion": "v1", "kind": "Pod", "name": "a", "namespace": "default"}), "Events of nodes alone"),
                (event(source={"component": "kubelet"}), "in the name of muster"), (event(reason="Rebooted"), "in the name of muster"),
                (event(namespace="kube-system"), "cannot create resource \"events\""),
                (self.ask("fleet-act", "DELETE", "/api/v1/nodes/healthy"), "cannot delete"),
                (self.ask("fleet-act", "PUT", "/api/v1/nodes/healthy", self.cluster.get("node", "healthy")), "cannot update"),
                (self.ask("fleet-act", "GET", "/api/v1/namespaces/default/events"), "cannot list")):
            with self.subTest(words, said=said):
                self.assertIn(words, said or "it was taken")
        warnings = [self.cluster.get("validatingadmissionpolicy", f"fleet.default-{name}")["status"].get("typeChecking") for name in ("act", "act-events")]
        self.assertEqual(warnings, [{}, {}], json.dumps(warnings))


if __name__ == "__main__":
    main()
