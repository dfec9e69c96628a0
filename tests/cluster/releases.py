# SPDX-License-Identifier: Apache-2.0
"""Releases of the chart allreduce in a real cluster, and what `helm test` says of them."""
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
IMAGE = {"repository": "localhost/muster", "tag": "test", "pullPolicy": "Never"}
HEALTHY = {"image": IMAGE, "gpusPerNode": 0, "ranksPerNode": 1,
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


class TwoNodes(unittest.TestCase):
    """A cluster of two nodes with the image, and a place for files that pods may read."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.place.cleanup)
        pathlib.Path(cls.place.name).chmod(0o755)
        cls.cluster = Cluster(nodes=2, images=[image("muster")])
        cls.addClassCleanup(cls.cluster.close)


class Releases(TwoNodes):
    """What installs the chart there and reads its verdict."""

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

    def expect_green(self, verdict, hosts):
        self.assertTrue(verdict.green, verdict.said)
        self.assertEqual(verdict.code, 0)
        self.assertIn(verdict.summary["status"], ("pass", "warn"))
        self.assertEqual(verdict.summary["host_count"], hosts)

    def expect_healthy(self, name, **values):
        start = time.monotonic()
        job = self.install(name, **values)
        verdict = Verdict(self.cluster, name)
        print(f"{name}: a verdict {time.monotonic() - start:.1f} s after helm install")
        self.expect_green(verdict, (HEALTHY | values)["numNodes"])
        self.cluster.wait(20, lambda: self.cluster.ended(job))
        self.assertEqual(self.cluster.phase(job), "Completed")
        self.expect_all_ended(name)
        return job


def image(name):
    """An archive with that image of these sources, or with another that is to be tested."""
    if given := os.environ.get("MUSTER_IMAGE"):
        return given
    made = subprocess.run([SOURCE / "tests/containers/build_image.sh", name], check=True, stdout=subprocess.PIPE, text=True)
    return made.stdout.strip()


def main():
    if lacking := missing():
        print("skipped: needs", *lacking)
        sys.exit(77)
    unittest.main()
