# SPDX-License-Identifier: Apache-2.0
"""The chart local-nvme-scratch in a real cluster, on nodes that have no such drives: what its pods see, say and can reach."""
import json
import os
import pathlib
import sys

from releases import IMAGE, SOURCE, TwoNodes, main

sys.path.insert(0, str(SOURCE / "tests/support"))
from schema import Schema  # noqa: E402

CHART = SOURCE / "charts/local-nvme-scratch"
STATUS = Schema(SOURCE / "results/scratch.schema.json")


class LocalNvmeScratch(TwoNodes):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(cls.place.name, "mounts")
        folder.mkdir()
        # As systemd has all of a node.
        cls.cluster.run("mount", "--bind", folder, folder)
        cls.cluster.run("mount", "--make-shared", folder)
        cls.addClassCleanup(cls.cluster.run, "umount", "--lazy", folder)
        cls.mount = folder / "scratch"
        cls.values = pathlib.Path(cls.place.name, "values.json")
        cls.values.write_text(json.dumps({"image": IMAGE, "every": 0.5, "mountPath": str(cls.mount)}))
        cls.devices = set(os.listdir("/dev"))
        cls.cluster.helm("install", "scratch", CHART, "--values", cls.values)
        cls.cluster.kubectl("rollout", "status", "daemonset/scratch", "--timeout", "60s", timeout=70)

    def expect_stopped(self, dry_run):
        """So it is said on the nodes, whose folder /run is one and the same here, and by the pods."""
        def status():
            shown = self.cluster.run("cat", "/run/muster/scratch.json", check=False)
            return json.loads(shown.stdout) if shown.returncode == 0 else {}

        self.cluster.wait(30, lambda: status().get("dry_run") is dry_run)
        found = status()
        STATUS.validate(found)
        self.assertEqual((found["state"], found["mount_at"]), ("stopped", str(self.mount)))
        said = self.cluster.kubectl("logs", "--selector", "app.kubernetes.io/instance=scratch", "--tail", "-1").stdout
        self.assertIn(found["reason"], said)
        self.assertIn("no local NVMe drive of the model 'Microsoft NVMe Direct Disk*'", found["reason"])

    def ready(self):
        """Of each pod that runs and is not on its way out."""
        pods = [pod for pod in self.cluster.pods().values() if "deletionTimestamp" not in pod["metadata"]]
        return [status["ready"] for pod in pods for status in pod["status"].get("containerStatuses", []) if "running" in status["state"]]

    def test_it_does_nothing_and_says_why(self):
        self.expect_stopped(True)
        self.assertEqual(self.ready(), [True, True])
        for name in self.cluster.pods():
            self.assertEqual(self.cluster.exec(name, "sh", "-c", "test -x /usr/sbin/mdadm && cat /proc/1/mountinfo").stdout,
                             self.cluster.run("cat", "/proc/1/mountinfo").stdout, "the mounts are not those of the node")

    def test_not_a_dry_run_no_pod_is_ready_and_its_mounts_are_the_nodes(self):
        self.cluster.helm("upgrade", "scratch", CHART, "--values", self.values, "--set", "dryRun=false,maxUnavailable=100%")
        events = ("get", "events", "--field-selector", "reason=Unhealthy", "--output", "name")
        self.cluster.wait(120, lambda: len(self.cluster.kubectl(*events).stdout.split()) == 2)  # their probes have failed
        self.assertEqual(self.ready(), [False, False])
        self.expect_stopped(False)
        name = next(iter(self.cluster.pods()))
        self.cluster.exec(name, "sh", "-c", f"mkdir -p {self.mount} && mount -t tmpfs t {self.mount}")
        self.assertIn(f" {self.mount} ", self.cluster.run("cat", "/proc/1/mountinfo").stdout)
        self.cluster.run("umount", self.mount)
        self.assertEqual(set(os.listdir("/dev")) - self.devices, set(), "the pods left files among the devices of the node")


if __name__ == "__main__":
    main()
