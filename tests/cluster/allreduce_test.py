# SPDX-License-Identifier: Apache-2.0
"""The chart allreduce in a real cluster: healthy its test is green; whatever goes wrong ends in bounded time, is never green,
has a reason that can be read, and leaves no pod that runs."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

from cluster import Cluster, missing

SOURCE = pathlib.Path(os.environ["MUSTER_SOURCE"])
CHART = SOURCE / "charts/allreduce"
HEALTHY = {"image": {"repository": "localhost/muster", "tag": "test", "pullPolicy": "Never"}, "gpusPerNode": 0, "ranksPerNode": 1,
           "numNodes": 2, "shmSize": "256Mi", "launcherResources": {"cpu": "100m", "memory": "256Mi"}, "sizes": {"max": "1M"},
           "wait": 20, "deadline": 60}
# Seconds to see that a job has gone wrong, and to end it, with the limits of above and 30 s of the chart for a failed worker.
LONGEST = 90


class Verdict:
    """What `helm test` says of a release."""

    def __init__(self, cluster, name):
        start = time.monotonic()
        self.test = cluster.helm("test", name, "--logs", "--timeout", "240s", check=False, timeout=300)
        self.seconds = time.monotonic() - start
        self.green = self.test.returncode == 0
        status = cluster.pods()[f"{name}-test"]["status"]
        ended = status.get("containerStatuses", [{}])[0].get("state", {}).get("terminated", {})
        self.code = ended.get("exitCode")
        self.said = self.test.stdout + self.test.stderr
        at = self.said.find('{"')
        self.summary = json.JSONDecoder().raw_decode(self.said[at:])[0] if at >= 0 else None


class Releases(unittest.TestCase):
    """A cluster of two nodes with the image, and what installs the chart there and reads its verdict."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        cls.cluster = Cluster(nodes=2, images=[image("muster")])
        cls.addClassCleanup(cls.cluster.close)

    def install(self, name, edit=None, **values):
        """Installs the chart; edit is what is changed in its text: a regular expression and what takes its place."""
        file = pathlib.Path(self.place.name, f"{name}.json")
        file.write_text(json.dumps(HEALTHY | values))
        options = []
        if edit:
            renderer = file.with_suffix(".py")
            renderer.write_text("#!/usr/bin/python3\nimport re, sys\nchanged, times = re.subn(*" + repr(edit) + ", sys.stdin.read())\n"
                                "print(changed)\nsys.exit(0 if times else 'nothing to change')\n")
            renderer.chmod(0o755)
            options = ["--post-renderer", renderer]
        self.cluster.helm("install", name, CHART, "--values", file, *options)
        self.addCleanup(self.uninstall, name)
        return f"{name}-1"

    def uninstall(self, name):
        self.cluster.helm("uninstall", name)
        self.cluster.kubectl("delete", "pod", f"{name}-test", "--ignore-not-found", "--grace-period", "1")
        self.cluster.wait(30, lambda: not [pod for pod in self.cluster.pods() if pod.startswith(f"{name}-")])

    def start(self, name, **values):
        """Installs the chart with more to measure than there is time, and waits until it measures."""
        job = self.install(name, checkArguments=["-n", "1000000"], **values)
        self.cluster.wait(60, lambda: self.running(f"{job}-launcher-0"))
        time.sleep(4)
        self.assertTrue(self.running(f"{job}-launcher-0"), self.cluster.kubectl("logs", f"{job}-launcher-0").stdout)
        return job

    def running(self, pod):
        return self.cluster.pods().get(pod, {}).get("status", {}).get("phase") == "Running"

    def expect(self, name, code, reason, longest=LONGEST):
        """The verdict of a job that has gone wrong, which names the reason in time."""
        verdict = Verdict(self.cluster, name)
        print(f"{name}: exit code {verdict.code} after {verdict.seconds:.1f} s: {verdict.said.strip().splitlines()[-1:]}")
        self.assertFalse(verdict.green, verdict.said)
        self.assertEqual(verdict.code, code, verdict.said)
        self.assertRegex(verdict.said, re.compile(reason, re.IGNORECASE | re.DOTALL))
        self.assertLess(verdict.seconds, longest)

    def expect_all_ended(self, name, seconds=75):
        """Every pod of a release, which is all that it may have left."""
        own = f"app.kubernetes.io/instance={name}"
        self.assertTrue(self.cluster.pods(own))
        self.cluster.wait(seconds, lambda: all(pod["status"]["phase"] in ("Succeeded", "Failed")
                                               for pod in self.cluster.pods(own).values()))

    def expect_healthy(self, name, **values):
        start = time.monotonic()
        job = self.install(name, **values)
        verdict = Verdict(self.cluster, name)
        print(f"{name}: a verdict {time.monotonic() - start:.1f} s after helm install")
        self.assertTrue(verdict.green, verdict.said)
        self.assertEqual(verdict.code, 0)
        self.assertIn(verdict.summary["status"], ("pass", "warn"))
        self.assertEqual(verdict.summary["host_count"], (HEALTHY | values)["numNodes"])
        self.cluster.wait(20, lambda: self.cluster.ended(job))
        self.assertEqual(self.cluster.phase(job), "Completed")
        self.expect_all_ended(name)
        return job


class Chart(Releases):
    def test_one_node(self):
        self.expect_healthy("one", numNodes=1)

    def test_two_nodes(self):
        self.expect_healthy("two", spread="required")

    def test_wrong_image(self):
        # The pod of the test is a hook, which is not edited: it has the right one, and speaks of the others.
        self.install("image", edit=(r"image: \S+", "image: localhost/muster:none"), wait=5, deadline=10, pendingTimeout=5)
        self.expect("image", 3, "ErrImageNeverPull.*muster:none")
        self.expect_all_ended("image", seconds=5 + 10 + 5 + 120 + LONGEST)  # nothing of muster runs, but pods have a deadline

    def test_worker_is_never_ready(self):
        self.install("unready", edit=(r"command: \[muster\]\n( +)args:\n( +)- worker\n",
                                            r'command: [sh, -c, "sleep 300"]\n\1args:\n\2- worker\n'))
        self.expect("unready", 3, "worker-[01]")
        self.expect_all_ended("unready")

    def test_worker_is_killed_in_the_middle(self):
        job = self.start("killed")
        self.cluster.kill_container(f"{job}-worker-1")
        self.expect("killed", 3, f"{job}-worker-1")
        self.expect_all_ended("killed")

    def test_more_nodes_than_exist(self):
        job = self.install("many", numNodes=3, spread="required", pendingTimeout=20)
        self.expect("many", 3, f"job {job} is Terminated.*withdrawn.*has no node.*anti-affinity", longest=60)
        self.expect_all_ended("many")

    def test_fewer_cores_than_are_asked_for(self):
        self.install("large", resources={"cpu": 1000}, pendingTimeout=5)
        self.expect("large", 3, "withdrawn.*queue default has no room for cpu 1000100m", longest=45)
        self.expect_all_ended("large")

    def test_wrong_ssh_key(self):
        keys = [pathlib.Path(self.place.name, name) for name in ("here", "there")]
        for key in keys:
            subprocess.run(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", key], check=True)
        plugin = ["--ssh-key-file-path=/etc/muster/ssh", f"--ssh-private-key={keys[0].read_text()}",
                  f"--ssh-public-key={keys[1].with_suffix('.pub').read_text()}"]
        self.install("key", edit=(r"ssh: \[[^]]*\]", "ssh: " + json.dumps(plugin).replace("\\", "\\\\")))
        self.expect("key", 3, "ssh.*key|key.*ssh|refuse|denied")
        self.expect_all_ended("key")


class Broken(Releases):
    """What a cluster does not recover from, in this order."""

    def test_1_a_node_dies(self):
        job = self.start("lost", spread="required")
        places = {name: pod["spec"]["nodeName"] for name, pod in self.cluster.pods().items()}
        number = 3 - int(places[f"{job}-launcher-0"][-1])
        worker = next(name for name, place in places.items() if "worker" in name and place == f"node{number}")
        self.cluster.kubectl("cordon", f"node{number}")  # it takes a while until a scheduler knows that it is gone
        self.cluster.kill_node(number)
        self.expect("lost", 3, worker)
        self.cluster.kubectl("delete", "pod", worker, "--force")

    def test_2_the_webhooks_are_down(self):
        self.cluster.kill("vc-webhook-manager")
        start = time.monotonic()
        with self.assertRaisesRegex(RuntimeError, "failed calling webhook.*mutatejob.volcano.sh"):
            self.install("refused")
        self.assertLess(time.monotonic() - start, 20)
        self.uninstall("refused")


def image(name):
    """An archive with that image of these sources, or with another that is to be tested."""
    if given := os.environ.get("MUSTER_IMAGE"):
        return given
    made = subprocess.run([SOURCE / "tests/containers/build_image.sh", name], check=True, stdout=subprocess.PIPE, text=True)
    return made.stdout.strip()


if __name__ == "__main__":
    if missing():
        print("skipped: needs", *missing())
        sys.exit(77)
    unittest.main()
