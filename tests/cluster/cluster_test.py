# SPDX-License-Identifier: Apache-2.0
"""The cluster itself: jobs run on one node and on two, gangs hold, names and webhooks work, and nothing is left of it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import unittest.mock

from cluster import PLACE, Cluster, missing
from jobs import job

UP, DOWN = 60, 30  # seconds, on a machine that does other things too
SYSCTLS = ("vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops", "kernel/keys/root_maxkeys",
           "net/ipv4/ip_forward", "fs/inotify/max_user_instances")


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def traces(folder):
    """What clusters with their state in a folder could leave behind on this machine."""
    rules = [line for program in ("iptables-save", "ip6tables-save") for line in lines(program)]
    places = ("/var/lib/kubelet", "/var/lib/cni", "/var/log/pods", "/var/log/containers", "/run/containerd", "/run/netns")
    mounts = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()]
    group = f"muster-cluster{folder.replace('/', '-')}*"
    return {"control groups": {str(found) for depth in ("", "*/") for found in pathlib.Path("/sys/fs/cgroup").glob(depth + group)},
            "processes": {line for line in lines("ps", "-eo", "args") if f"{folder}/" in line},
            "rules": {line for line in rules if re.search("KUBE|CNI", line)},
            "mounts": {place for place in mounts if re.match(f"/run$|/var/lib$|/var/log$|/proc/sys/|{folder}", place)},
            "links": {line.split(":")[1] for line in lines("ip", "-oneline", "link") if "cluster0" in line},
            "folders": {str(file) for file in pathlib.Path(folder).glob("*")},
            "places": {str(file) for place in places for file in pathlib.Path(place).glob("*")},
            "sysctls": {(name, pathlib.Path("/proc/sys", name).read_text()) for name in SYSCTLS}}


def runs(cluster, pod):
    return cluster.pods().get(pod, {}).get("status", {}).get("phase") == "Running"


def run_job(test, cluster, name, **options):
    """The pods of a job that completes; its launcher got the names of all its workers from themselves."""
    cluster.apply(job(name, **options))
    test.assertEqual(cluster.wait(60, lambda: cluster.ended(name)), "Completed")
    workers = [f"{name}-worker-{number}" for number in range(options.get("workers", 2))]
    test.assertEqual(cluster.kubectl("logs", f"{name}-launcher-0").stdout.split(), workers)


class OneNode(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        start = time.monotonic()
        cls.cluster = Cluster(fake_gpus=8)
        cls.addClassCleanup(cls.cluster.close)
        cls.up = time.monotonic() - start

    def test_is_up_in_time(self):
        print(f"one node is up after {self.up:.1f} s")
        self.assertLess(self.up, UP)

    def test_a_job_completes(self):
        start = time.monotonic()
        run_job(self, self.cluster, "good")
        print(f"a job is completed after {time.monotonic() - start:.1f} s")

    def test_a_gang_that_fits_runs(self):
        run_job(self, self.cluster, "fits", gpus=4)

    def test_a_gang_that_does_not_fit_binds_no_pod(self):
        cluster = self.cluster
        cluster.apply(job("wide", gpus=8))
        said = cluster.wait(30, lambda: "unschedulable" in cluster.kubectl("describe", "podgroup").stdout.lower())
        self.assertTrue(said)
        time.sleep(2)
        self.assertEqual(cluster.phase("wide"), "Pending")
        self.assertEqual([pod["spec"].get("nodeName") for pod in cluster.pods("volcano.sh/job-name=wide").values()], [None, None])
        cluster.kubectl("delete", "vcjob", "wide")
        cluster.wait(30, lambda: not cluster.pods("volcano.sh/job-name=wide"))

    def test_a_failed_launcher_ends_the_job_and_keeps_its_log(self):
        cluster = self.cluster
        cluster.apply(job("bad", ask="echo sorry; exit 3"))
        cluster.wait(60, lambda: cluster.phase("bad") == "Terminated")
        self.assertEqual(cluster.kubectl("logs", "bad-launcher-0").stdout, "sorry\n")

    def test_a_webhook_refuses_a_bad_job(self):
        bad = job("bad-queue")
        bad["spec"]["queue"] = "nobody-made-it"
        with self.assertRaisesRegex(RuntimeError, "denied the request.*queue"):
            self.cluster.apply(bad)

    def test_a_running_pod_can_be_entered_and_slowed(self):
        cluster = self.cluster
        cluster.apply(job("slow", workers=1, ask="sleep 60"))
        cluster.wait(60, lambda: runs(cluster, "slow-launcher-0"))
        self.assertEqual(cluster.exec("slow-worker-0", "hostname").stdout, "slow-worker-0\n")
        seconds = [self.seconds_to_get("slow-launcher-0", "slow-worker-0.slow", 2 << 20)]
        cluster.run(*cluster.netns("slow-worker-0"), "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", "8mbit",
                    "burst", "16kb", "latency", "100ms")
        seconds.append(self.seconds_to_get("slow-launcher-0", "slow-worker-0.slow", 2 << 20))
        self.assertGreater(seconds[1], 1.5)  # 2 MiB at 8 Mbit/s take 2.1 s
        self.assertLess(4 * seconds[0], seconds[1])
        cluster.kubectl("delete", "vcjob", "slow")

    def seconds_to_get(self, reader, writer, size):
        self.cluster.exec(writer.split(".")[0], "sh", "-c", f"head -c {size} /dev/zero > /tmp/www/zeros")
        start = time.monotonic()
        self.cluster.exec(reader, "sh", "-c", f"wget -q -O /tmp/zeros http://{writer}:8080/zeros")
        return time.monotonic() - start

    def test_helm_installs_and_tests_a_chart(self):
        with tempfile.TemporaryDirectory() as folder:
            chart = pathlib.Path(folder)
            (chart / "templates").mkdir()
            (chart / "Chart.yaml").write_text("{apiVersion: v2, name: small, version: 0.1.0}\n")
            (chart / "templates/ask.yaml").write_text(textwrap.dedent("""\
                apiVersion: v1
                kind: Pod
                metadata: {name: "{{ .Release.Name }}-ask", annotations: {helm.sh/hook: test}}
                spec:
                  restartPolicy: Never
                  containers:
                  - name: ask
                    image: localhost/tiny:1
                    imagePullPolicy: Never
                    command: [sh, -c, "nslookup kubernetes.default.svc.cluster.local && nc -w 5 $KUBERNETES_SERVICE_HOST 443 </dev/null"]
                """))
            self.cluster.helm("install", "here", chart)
            self.cluster.helm("test", "here", "--timeout", "60s")


class TwoNodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        start = time.monotonic()
        cls.cluster = Cluster(nodes=2, fake_gpus=8)
        cls.addClassCleanup(cls.cluster.close)
        cls.up = time.monotonic() - start

    def test_1_is_up_in_time(self):
        print(f"two nodes are up after {self.up:.1f} s")
        self.assertLess(self.up, UP)

    def test_2_a_job_is_spread_over_both(self):
        run_job(self, self.cluster, "spread", gpus=8)

    def test_3_a_node_dies(self):
        cluster = self.cluster
        cluster.apply(job("lost", gpus=8, ask="sleep 300"))
        cluster.wait(60, lambda: runs(cluster, "lost-launcher-0"))
        places = {name: pod["spec"]["nodeName"] for name, pod in cluster.pods().items()}
        self.assertEqual({places["lost-worker-0"], places["lost-worker-1"]}, {"node1", "node2"})
        number = 3 - int(places["lost-launcher-0"][-1])  # the node without the launcher
        worker = next(name for name in ("lost-worker-0", "lost-worker-1") if places[name] == f"node{number}")
        ask = ("timeout", "5", "wget", "-q", "-O", "-", f"http://{worker}.lost:8080/name")
        self.assertEqual(cluster.exec("lost-launcher-0", *ask).stdout, f"{worker}\n")
        cluster.kill_node(number)
        self.assertNotEqual(cluster.exec("lost-launcher-0", *ask, check=False).returncode, 0)
        cluster.wait(90, lambda: not cluster.ready(number))
        self.assertTrue(cluster.ready(3 - number))


class Ends(unittest.TestCase):
    """In every case nothing is left."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="muster-cluster-test.")
        self.addCleanup(place.cleanup)
        self.folder = place.name
        self.before = traces(self.folder)
        patch = unittest.mock.patch("tempfile.tempdir", self.folder)
        patch.start()
        self.addCleanup(patch.stop)

    def expect_nothing_left(self):
        for what, now in traces(self.folder).items():
            self.assertEqual(now - self.before[what], set(), what)

    def test_after_a_test(self):
        with Cluster(nodes=2) as cluster:
            cluster.apply(job("left", ask="sleep 300"))
            cluster.wait(60, lambda: runs(cluster, "left-launcher-0"))
            found = traces(self.folder)
            self.assertTrue(found["control groups"] and found["processes"] and found["folders"])
            start = time.monotonic()
        seconds = time.monotonic() - start
        print(f"two nodes with a running job are gone after {seconds:.1f} s")
        self.assertLess(seconds, DOWN)
        self.expect_nothing_left()

    def test_when_it_cannot_start(self):
        broken = pathlib.Path(self.folder, "broken.tar")
        broken.write_bytes(b"")
        with self.assertRaisesRegex(RuntimeError, "broken.tar could not be imported"):
            Cluster(images=[broken])
        broken.unlink()
        self.expect_nothing_left()

    def test_when_python_is_killed(self):
        script = "import time, cluster; kept = cluster.Cluster(); print(kept.folder, flush=True); time.sleep(300)"
        python = subprocess.Popen([sys.executable, "-B", "-c", script], cwd=PLACE, stdout=subprocess.PIPE, text=True,
                                  env=os.environ | {"TMPDIR": self.folder})
        with python.stdout:
            state = python.stdout.readline().strip()
        groups = traces(self.folder)["control groups"]
        python.kill()
        python.wait()
        self.assertTrue(groups)
        end = time.monotonic() + DOWN
        while traces(self.folder)["control groups"] and time.monotonic() < end:
            time.sleep(0.1)
        shutil.rmtree(state)  # nobody was left to do it
        self.expect_nothing_left()


if __name__ == "__main__":
    if missing():
        print("skipped: needs", *missing())
        sys.exit(77)
    unittest.main()
