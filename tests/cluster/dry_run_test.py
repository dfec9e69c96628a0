# SPDX-License-Identifier: Apache-2.0
"""What the charts render, given to a real API server with Volcano's kinds and webhooks: it takes all of it and does nothing."""
import json
import os
import pathlib
import sys
import unittest

import yaml
from cluster import Cluster, missing
from readiness_rule import KIND, published, spec_of

sys.path.insert(0, str(pathlib.Path(os.environ["MUSTER_SOURCE"], "tests/charts")))
import healthcheck_values  # noqa: E402
import local_nvme_scratch_values  # noqa: E402
import node_labeler_values  # noqa: E402
from chart import HEALTHCHECK, LABELER, SCRATCH, render, render_all  # noqa: E402
from manifests_test import ASKING, AZUREML, CPU, GPU, MATRIX, pods, rendered  # noqa: E402

# In a list of one line each, how pods with these values fare in a namespace of a level of pod security.
LEVELS = (("restricted", CPU, None), ("restricted", CPU | AZUREML, None), ("restricted", GPU | {"rdma": {"resource": ""}}, None),
          ("restricted", GPU, "IPC_LOCK"), ("baseline", GPU, "IPC_LOCK"), ("privileged", GPU, None))


def pod_of(name, spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


class DryRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)
        cls.add_accounts("default")
        cls.cluster.apply(KIND)
        cls.cluster.kubectl("wait", "--for=condition=Established", f"crd/{KIND['metadata']['name']}")

    @classmethod
    def add_accounts(cls, namespace):
        """Without its account no pod is taken."""
        for account in ("run", *ASKING):
            cls.cluster.kubectl("create", "serviceaccount", f"allreduce-{account}", "--namespace", namespace)

    def offer(self, text, *words):
        return self.cluster.kubectl("apply", "--dry-run=server", "--validate=strict", "--output", "name", "--filename", "-", *words,
                                    input=text, check=False)

    def refused(self, offered, *words):
        self.assertNotEqual(offered.returncode, 0, offered.stdout)
        for word in words:
            self.assertIn(word, offered.stderr)

    def test_all_that_is_rendered_is_taken(self):
        self.assertGreater(len(MATRIX), 20)
        for values, made in rendered():
            with self.subTest(values):
                offered = self.offer(made.text)
                self.assertEqual(offered.returncode, 0, offered.stderr)
                self.assertEqual(len(offered.stdout.split()), len(made.documents))
        self.assertIsNone(self.cluster.get("jobs.batch.volcano.sh,jobs.batch,pods"))

    def test_the_other_charts_are_taken_with_all_their_values(self):
        for chart, right in ((LABELER, node_labeler_values.RIGHT), (HEALTHCHECK, healthcheck_values.RIGHT),
                             (SCRATCH, local_nvme_scratch_values.RIGHT)):
            for values, made in render_all([{}, *right], chart=chart):
                with self.subTest(values, chart=chart.name):
                    offered = self.offer(made.text)
                    self.assertEqual(offered.returncode, 0, offered.stderr)
                    self.assertEqual(len(offered.stdout.split()), len(made.documents))

    def test_the_rule_of_node_readiness_controller_is_one_of_its_schema(self):
        made = render(healthcheck_values.WITH_ACT | {"act": healthcheck_values.LISTENERS | {"readinessRule": "readiness.k8s.io/muster"}}, chart=HEALTHCHECK)
        rule = made.of_kind("NodeReadinessRule")
        self.assertEqual(self.offer(yaml.safe_dump(rule)).returncode, 0)
        for change, words in (({"taint": {"key": "muster/untested", "effect": "NoSchedule"}}, "must start with 'readiness.k8s.io/'"),
                              ({"taint": rule["spec"]["taint"] | {"effect": "Evict"}}, "taint effect must be one of"),
                              ({"enforcementMode": "once"}, "Unsupported value"), ({"conditions": []}, "should have at least 1 items"),
                              ({"nodeSelector": None}, "spec.nodeSelector: Required value"), ({"dryrun": True}, "unknown field")):
            with self.subTest(words):
                self.refused(self.offer(json.dumps(rule | {"spec": rule["spec"] | change})), words)
        # What its webhook adds, which is not here: no rule is for all nodes, and none of this mode has a status by default.
        self.assertTrue(rule["spec"]["nodeSelector"]["matchLabels"])
        self.assertEqual(rule["spec"]["enforcementMode"], "bootstrap-only")
        self.assertFalse([each for each in rule["spec"]["conditions"] if "defaultStatus" in each])

    def test_its_schema_is_the_published_one(self):
        try:
            other = published()
        except OSError as error:
            self.skipTest(f"the published schema is not within reach: {error}")
        self.assertEqual(spec_of(KIND), spec_of(other))

    def test_what_is_misspelt_is_refused(self):
        text = render(CPU).text
        for right in ("maxRetry", "failureThreshold", "readOnlyRootFilesystem"):
            with self.subTest(right):
                self.assertIn(right, text)
                self.refused(self.offer(text.replace(right, right + "s")), "unknown field", right + "s")

    def test_webhooks_see_the_job(self):
        self.refused(self.offer(render(CPU | {"queue": "none"}).text), "admission webhook", "queue")

    def test_the_longest_name_is_the_longest_that_a_pod_of_volcano_can_have(self):
        # Its webhook looks at the first pods of a task only; the others would never come to be.
        for nodes, last in ((2, "launcher-0"), (1001, "worker-1000")):
            with self.subTest(nodes):
                taken = [length for length in range(45, 64)
                         if render(CPU | {"numNodes": nodes, "fullnameOverride": "a" * (length - 2)}).code == 0]
                made = render(CPU | {"numNodes": nodes, "fullnameOverride": "a" * (max(taken) - 2)})
                offered = self.offer(json.dumps(made.job))
                self.assertEqual(offered.returncode, 0, offered.stderr)
                name = f"{made.job['metadata']['name']}-{last}"
                for name, is_taken in ((name, True), ("a" + name, False)):
                    spec = pods(made)["worker"] | {"hostname": name, "serviceAccountName": "allreduce-run"}
                    offered = self.offer(json.dumps(pod_of(name, spec)))
                    self.assertEqual(offered.returncode == 0, is_taken, offered.stderr)
                self.assertIn("must be no more than 63 characters", offered.stderr)

    def test_pods_keep_to_the_levels_of_pod_security(self):
        for level in ("restricted", "baseline", "privileged"):
            self.cluster.kubectl("create", "namespace", level)
            self.cluster.kubectl("label", "namespace", level, f"pod-security.kubernetes.io/enforce={level}")
            self.add_accounts(level)
        for level, values, reason in LEVELS:
            for name, pod in pods(render(values)).items():
                with self.subTest(values, level=level, pod=name):
                    offered = self.offer(json.dumps(pod_of(name, pod)), "--namespace", level)
                    if reason and name not in ASKING:
                        self.refused(offered, f'violates PodSecurity "{level}', reason)
                    else:
                        self.assertEqual(offered.returncode, 0, offered.stderr)


if __name__ == "__main__":
    if missing():
        print("skipped: needs", *missing())
        sys.exit(77)
    unittest.main()
