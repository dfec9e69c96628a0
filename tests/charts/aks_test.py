# SPDX-License-Identifier: Apache-2.0
"""The values of charts/aks: muster's charts take them and say the same of a node, upstream's charts know every key, and each value has
its reason beside it."""
import json
import os
import pathlib
import re
import sys
import unittest

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chart import CHART, HEALTHCHECK, LABELER, SOURCE, Rendered, helm  # noqa: E402

AKS = SOURCE / "charts/aks"
CHARTS = {"allreduce": CHART, "healthcheck": HEALTHCHECK, "node-labeler": LABELER}
# The keys that are set here, as upstream's values.yaml, or the CustomResourceDefinition of a policy, has them, with what it says where
# nothing is set. NVIDIA/gpu-operator a22dbf6 deployments/gpu-operator/values.yaml, Mellanox/network-operator b06827e
# deployment/network-operator/values.yaml and crds/mellanox.com_nicclusterpolicies.yaml, volcano-sh/volcano ed72c7c
# installer/helm/chart/volcano/values.yaml.
UPSTREAM = {
    "gpu-operator": {"nfd.enabled": True, "driver.enabled": True, "driver.rdma.enabled": False, "driver.rdma.useHostMofed": False,
                     "toolkit.enabled": True, "migManager.enabled": True},
    "network-operator": {"nfd.enabled": True, "nfd.deployNodeFeatureRules": True, "sriovNetworkOperator.enabled": False},
    "volcano": {"custom.default_ns": None, "custom.default_tolerations": None},
}
POLICY = {
    "": {"nodeAffinity", "ofedDriver", "sriovDevicePlugin"},
    "ofedDriver": {"env", "forcePrecompiled", "image", "livenessProbe", "readinessProbe", "repository", "startupProbe", "upgradePolicy",
                   "version"},
    "sriovDevicePlugin": {"config", "image", "repository", "version"},
}


def read(name):
    return list(yaml.safe_load_all((AKS / f"{name}.yaml").read_text()))


def leaves(values, path=""):
    """Each value by its path; a mapping that a chart takes as one value, such as labels, is one."""
    for name, value in values.items():
        if isinstance(value, dict) and f"{path}{name}" not in UPSTREAM["volcano"]:
            yield from leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def render(name):
    run = helm("template", name, CHARTS[name], "--values", AKS / f"{name}.yaml")
    return Rendered(run.returncode, run.stdout, run.stderr)


def without_reason(text):
    """Lines with a value and no comment, neither beside it nor beside what it is a part of."""
    above = []
    for line in text.splitlines():
        words, mark, _ = line.partition("#")
        if words.strip():
            indent = len(line) - len(line.lstrip())
            above = [(column, reason) for column, reason in above if column < indent]
            above.append((indent, bool(mark)))
            if not words.rstrip().endswith(":") and not any(reason for _, reason in above):
                yield line


class Aks(unittest.TestCase):
    def test_helm_finds_nothing_wrong(self):
        for name, chart in CHARTS.items():
            with self.subTest(name):
                run = helm("lint", "--strict", chart, "--values", AKS / f"{name}.yaml")
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertNotRegex(run.stdout, "WARNING|ERROR")

    def test_a_job_and_a_night_take_the_same_whole_node(self):
        policy = read("nic-cluster-policy")[1]["spec"]["sriovDevicePlugin"]
        resource, = json.loads(policy["config"])["resourceList"]
        adapters = f"{resource['resourcePrefix']}/{resource['resourceName']}"
        worker = render("allreduce").pods["worker"]["spec"]
        night = json.loads(render("healthcheck").of_kind("ConfigMap")["data"]["pod.json"])["spec"]
        for pod in (worker, night):
            container, = pod["containers"]
            self.assertEqual(container["resources"]["requests"], {"nvidia.com/gpu": "8", adapters: "8"})
            self.assertEqual(container["resources"]["limits"], container["resources"]["requests"])
            self.assertIn("IPC_LOCK", container["securityContext"]["capabilities"]["add"])
        self.assertEqual(worker["nodeSelector"], {"agentpool": "ndv5", "kubernetes.io/os": "linux"})

    def test_all_charts_mean_the_pool_of_the_readme(self):
        pool, = re.findall(r"--name (\w+) --node-count", (AKS / "README.md").read_text())
        self.assertEqual(read("allreduce")[0]["nodeSelector"], {"agentpool": pool})
        self.assertEqual(read("healthcheck")[0]["nodes"]["selector"], {"agentpool": pool})
        self.assertEqual(render("node-labeler").of_kind("DaemonSet")["spec"]["template"]["spec"]["nodeSelector"]["agentpool"], pool)

    def test_files_that_the_values_name_are_shipped(self):
        values = read("allreduce")[0]
        self.assertTrue((SOURCE / "topology" / values["topologyFile"]).exists())
        self.assertTrue((SOURCE / f"healthcheck/profiles/{values['profile']}.json").exists())
        night = read("healthcheck")[0]
        self.assertEqual(night["profile"], values["profile"])
        self.assertEqual(pathlib.Path(night["nodeArguments"][1]).name, values["topologyFile"])

    def test_upstream_knows_every_key(self):
        for name, known in UPSTREAM.items():
            with self.subTest(name):
                found = dict(leaves(read(name)[0]))
                self.assertEqual(set(found), set(known))
                for path, default in known.items():
                    self.assertIn(type(default), (type(found[path]), type(None)), path)

    def test_the_policy_has_what_its_definition_knows(self):
        rule, policy = read("nic-cluster-policy")
        self.assertEqual((policy["apiVersion"], policy["kind"]), ("mellanox.com/v1alpha1", "NicClusterPolicy"))
        for path, known in POLICY.items():
            self.assertLessEqual(set(policy["spec"][path] if path else policy["spec"]), known)
        label, = rule["spec"]["rules"][0]["labels"]
        terms, = policy["spec"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
        self.assertEqual([term["key"] for term in terms["matchExpressions"]], [label])

    def test_each_value_has_its_reason_and_each_file_its_place_in_the_readme(self):
        readme = (AKS / "README.md").read_text()
        for path in AKS.glob("*.yaml"):
            self.assertIn(f"charts/aks/{path.name}", readme)
        for name in (*UPSTREAM, *CHARTS):
            self.assertEqual(list(without_reason((AKS / f"{name}.yaml").read_text())), [], name)


if __name__ == "__main__":
    unittest.main()
