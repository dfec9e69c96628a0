# SPDX-License-Identifier: Apache-2.0
"""What holds for everything that the chart renders, whatever its values."""
import functools
import itertools
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chart import render, render_all  # noqa: E402

CPU = {"gpusPerNode": 0}
GPU = {"gpusPerNode": 8}
ALONE = {"launcher": "job", "numNodes": 1}
AZUREML = {"azureml": {"enabled": True}, "resources": {"cpu": 90, "memory": "1800Gi"}}
EVERYTHING = {
    "resources": {"cpu": 4, "memory": "64Gi"}, "sizes": {"min": 8, "max": "1G", "factor": 2}, "nccl": {"NCCL_DEBUG": "INFO"},
    "profileContent": '{"name": "own"}', "topologyContent": '<system version="1"/>', "results": {"create": True},
    "imagePullSecrets": [{"name": "one"}], "nodeSelector": {"agentpool": "gpu"}, "podAnnotations": {"note": "text"},
    "tolerations": [{"key": "spot", "operator": "Exists"}], "priorityClassName": "low", "runtimeClassName": "nvidia",
    "affinity": {"nodeAffinity": {}}, "interface": "eth0", "checkArguments": ["--in-place"]}
# Pairs of what one may want, with and without a launcher alone.
WANTED = [{}, AZUREML, EVERYTHING, {"results": {"claim": "own"}}, {"dependsOn": False}, {"shmSize": ""}]
MATRIX = [kind | alone | wanted for kind, alone, wanted in itertools.product((CPU, GPU), ({}, ALONE), WANTED)]
# Capabilities that the pod security standard of level baseline lets a container add, and the only one of restricted.
BASELINE = {"AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID",
            "SETPCAP", "SETUID", "SYS_CHROOT"}
RESTRICTED_VOLUMES = {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret"}


def not_restricted(pod):
    """What the pod security standard of level restricted would refuse, as kubernetes.io/docs/concepts/security/
    pod-security-standards lists it."""
    outer = pod.get("securityContext", {})
    found = {name for name in ("hostNetwork", "hostPID", "hostIPC") if pod.get(name)}
    found |= {kind for volume in pod["volumes"] for kind in volume if kind != "name"} - RESTRICTED_VOLUMES
    for container in pod["containers"] + pod.get("initContainers", []):
        own = container.get("securityContext", {})
        merged = outer | own
        capabilities = own.get("capabilities", {})
        wrong = {
            "privileged": own.get("privileged"),
            "allowPrivilegeEscalation": own.get("allowPrivilegeEscalation") is not False,
            "runAsNonRoot": merged.get("runAsNonRoot") is not True,
            "runAsUser": merged.get("runAsUser") == 0,
            "seccompProfile": merged.get("seccompProfile", {}).get("type") not in ("RuntimeDefault", "Localhost"),
            "drop": "ALL" not in capabilities.get("drop", []),
            "add": set(capabilities.get("add", [])) - {"NET_BIND_SERVICE"},
            "hostPort": any("hostPort" in port for port in container.get("ports", [])),
        }
        found |= {name for name, problem in wrong.items() if problem}
    return found


# Those that ask the Kubernetes API.
ASKING = ("test", "withdraw")


def templates(made):
    """What the pods of the job are made of, that of the test, and the one that withdraws a job of Volcano."""
    withdraws = [job["spec"]["template"] for name, job in made.named("Job").items() if name.endswith("-withdraw")]
    return made.pods | {"test": made.of_kind("Pod")} | {"withdraw": template for template in withdraws}


def pods(made):
    return {name: template["spec"] for name, template in templates(made).items()}


@functools.cache
def rendered():
    return list(render_all(MATRIX))


def each_pod():
    return [(values, name, pod) for values, made in rendered() for name, pod in pods(made).items()]


class Manifests(unittest.TestCase):
    def test_pods_are_restricted_but_those_that_register_memory_for_rdma(self):
        for values, name, pod in each_pod():
            with self.subTest(values, pod=name):
                self.assertIs(pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"], True)
                if name in ASKING or values["gpusPerNode"] == 0:
                    self.assertEqual(not_restricted(pod), set())
                    self.assertEqual(pod["securityContext"]["runAsUser"], 1000)
                else:
                    self.assertEqual(not_restricted(pod), {"runAsNonRoot", "runAsUser", "add"})
                    added = set(pod["containers"][0]["securityContext"]["capabilities"]["add"])
                    self.assertEqual(added - BASELINE, {"IPC_LOCK"})

    def test_gpus_without_rdma_are_restricted_too(self):
        for values in ({"rdma": {"resource": ""}}, {"rdma": {"count": 0}}, {"security": "restricted"}):
            for name, pod in pods(render(GPU | values)).items():
                with self.subTest(values, pod=name):
                    self.assertEqual(not_restricted(pod), set())

    def test_rdma_without_gpus_can_be_asked_for(self):
        pod = pods(render(CPU | {"rdma": {"resource": "rdma/ib", "count": 1}}))["worker"]
        self.assertEqual(not_restricted(pod), {"runAsNonRoot", "runAsUser", "add"})
        self.assertEqual(pod["containers"][0]["resources"]["limits"], {"rdma/ib": "1"})

    def test_no_shell_and_nothing_but_muster_is_run(self):
        for values, name, pod in each_pod():
            with self.subTest(values, pod=name):
                container, = pod["containers"]
                self.assertEqual(container["command"], ["muster"])
                self.assertIn(container["args"][0], ("launch", "worker", "fleet"))
                for word in container["args"]:
                    self.assertIsInstance(word, str)
                    self.assertRegex(word, r"^[^;|&$`\n]+$")
                self.assertNotIn("lifecycle", container)

    def test_every_pod_ends_and_is_not_started_again(self):
        for values, name, pod in each_pod():
            with self.subTest(values, pod=name):
                self.assertEqual(pod["restartPolicy"], "Never")
                self.assertGreater(pod["activeDeadlineSeconds"], 60)
                self.assertGreater(pod["terminationGracePeriodSeconds"], 0)

    def test_requests_are_limits_and_texts(self):
        for values, name, pod in each_pod():
            with self.subTest(values, pod=name):
                resources = pod["containers"][0]["resources"]
                self.assertEqual(resources.get("requests"), resources.get("limits"))
                self.assertTrue(all(isinstance(amount, str) for amount in resources.get("limits", {}).values()))

    def test_what_is_mounted_is_there_and_what_is_there_is_mounted(self):
        for values, name, pod in each_pod():
            with self.subTest(values, pod=name):
                mounted = [mount["name"] for mount in pod["containers"][0]["volumeMounts"]]
                self.assertEqual(sorted(mounted), sorted(volume["name"] for volume in pod["volumes"]))

    def test_every_pod_has_a_place_for_files_and_no_foreign_variables(self):
        for values, name, pod in each_pod():
            with self.subTest(values, pod=name):
                container = pod["containers"][0]
                self.assertIn({"name": "tmp", "mountPath": "/tmp"}, container["volumeMounts"])
                self.assertIn({"name": "tmp", "emptyDir": {}}, pod["volumes"])
                self.assertIs(pod["enableServiceLinks"], False)
                self.assertEqual(container["imagePullPolicy"], "IfNotPresent")

    def test_claims_are_of_the_group_of_those_who_write_to_them(self):
        for values, name, pod in each_pod():
            with self.subTest(values, pod=name):
                security = pod["securityContext"]
                self.assertEqual(security["runAsGroup"], security["runAsUser"])
                if name not in ASKING:
                    self.assertEqual((security["fsGroup"], security["fsGroupChangePolicy"]), (1000, "OnRootMismatch"))

    def test_pods_are_found_by_their_release(self):
        for values, made in rendered():
            for template in [*templates(made).values(), *made.documents]:
                with self.subTest(values):
                    labels = template["metadata"]["labels"]
                    self.assertEqual((labels["app.kubernetes.io/name"], labels["app.kubernetes.io/instance"]), ("allreduce",) * 2)
                    self.assertEqual(labels["helm.sh/chart"], "allreduce-0.1.0")
                    self.assertEqual(labels["app.kubernetes.io/managed-by"], "Helm")

    def test_who_asks_the_api_has_a_token_and_an_account_and_only_the_test_is_a_hook(self):
        for values, made in rendered():
            with self.subTest(values):
                for name, pod in pods(made).items():
                    self.assertIs(pod["automountServiceAccountToken"], name in ASKING)
                    self.assertEqual(pod["serviceAccountName"], f"allreduce-{name if name in ASKING else 'run'}")
                asking = {f"allreduce-{name}" for name in pods(made) if name in ASKING}
                accounts = made.named("ServiceAccount")
                self.assertEqual(set(accounts), {"allreduce-run"} | asking)
                self.assertTrue(all(each["automountServiceAccountToken"] is False for each in accounts.values()))
                for name, binding in made.named("RoleBinding").items():
                    self.assertEqual((binding["roleRef"]["name"], binding["subjects"][0]["name"]), (name, name))
                hooks = [each["kind"] for each in made.documents if "helm.sh/hook" in each["metadata"].get("annotations", {})]
                self.assertEqual(hooks, ["Pod"])

    def test_accounts_may_read_what_they_need_and_one_may_command_volcano(self):
        for values, made in rendered():
            with self.subTest(values):
                of_volcano = values.get("launcher") != "job"
                wanted = {("", "pods"), ("batch.volcano.sh" if of_volcano else "batch", "jobs")}
                wanted |= {("scheduling.volcano.sh", "podgroups")} if of_volcano else set()
                roles = made.named("Role")
                self.assertEqual(set(roles), {f"allreduce-{name}" for name in (ASKING if of_volcano else ("test",))})
                for name, role in roles.items():
                    allowed = {(rule["apiGroups"][0], rule["resources"][0]): rule["verbs"] for rule in role["rules"]}
                    if name == "allreduce-withdraw":
                        self.assertEqual(allowed.pop(("bus.volcano.sh", "commands")), ["create"])
                    self.assertEqual(set(allowed), wanted)
                    self.assertTrue(all(verbs == ["get", "list"] for verbs in allowed.values()))
                    self.assertTrue(all(len(rule["resources"]) == len(rule["apiGroups"]) == 1 for rule in role["rules"]))

    def test_those_who_ask_ask_for_the_job(self):
        for values, made in rendered():
            for name in set(pods(made)) & set(ASKING):
                with self.subTest(values, pod=name):
                    words = pods(made)[name]["containers"][0]["args"]
                    self.assertEqual(words[words.index("--job") + 1], made.job["metadata"]["name"])

    def test_the_test_waits_longer_than_anything_can_last(self):
        for values, made in rendered():
            with self.subTest(values):
                words = pods(made)["test"]["containers"][0]["args"]
                waits = int(words[words.index("--wait") + 1])
                for name, pod in pods(made).items():
                    if name != "test":
                        self.assertLess(pod["activeDeadlineSeconds"], waits)
                self.assertLess(waits, pods(made)["test"]["activeDeadlineSeconds"])

    def test_rendering_twice_gives_the_same(self):
        for (values, first), (_, second) in zip(rendered(), render_all(MATRIX)):
            with self.subTest(values):
                self.assertEqual(first.code, 0, first.problem)
                self.assertEqual(first.text, second.text)

    def test_a_name_by_values_changes_with_them_alone(self):
        first, again, other = (render({"nameBy": "values", "numNodes": nodes}).job["metadata"]["name"] for nodes in (2, 2, 3))
        self.assertRegex(first, r"^allreduce-[0-9a-f]{10}$")
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)


if __name__ == "__main__":
    unittest.main()
