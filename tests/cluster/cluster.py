# SPDX-License-Identifier: Apache-2.0
"""A Kubernetes cluster with Volcano on this machine, for as long as a test needs it."""
import atexit
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

PLACE = pathlib.Path(__file__).parent
PROGRAMS = ("containerd", "runc", "iptables", "busybox", "jq", "openssl", "curl", "ip", "unshare")
TINY = "localhost/tiny:1"  # a static busybox


def missing():
    """What this machine lacks for a cluster."""
    found = [program for program in PROGRAMS if shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
    return found if os.geteuid() == 0 else [*found, "the rights of root"]


class Cluster:
    """node1, and node2 where two are wanted, each with so many GPUs that nobody has, and with the images of these archives.

    `with Cluster(nodes=2) as cluster` ends it in any case: when Python is killed, so are all its processes."""

    def __init__(self, nodes=1, fake_gpus=0, images=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="muster-cluster."))
        self.state = self.folder / "state"
        started = subprocess.Popen([PLACE / "up.sh", self.state, *images], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True,
                                   env=os.environ | {"NODES": str(nodes), "FAKE_GPUS": str(fake_gpus), "UNTIL_EOF": "1"})
        self.life = started.stdin  # the cluster lives until it is closed
        atexit.register(self.close)  # a test that is interrupted does not
        try:
            with started.stderr:
                said = started.stderr.read()
            if started.wait() != 0:
                raise RuntimeError(said)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        atexit.unregister(self.close)
        if (self.state / "group").exists():
            subprocess.run([PLACE / "down.sh", self.state], check=True)
        self.life.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words, check=True, timeout=60, **options):
        """A command in the cluster's namespaces, with kubectl and helm in its PATH; captures the output."""
        done = subprocess.run([self.state / "inside", *map(str, words)], capture_output=True, text=True, check=False,
                              timeout=timeout, **({"stdin": subprocess.DEVNULL} if "input" not in options else {}), **options)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))} exited with {done.returncode}: {done.stderr}{done.stdout}")
        return done

    @contextlib.contextmanager
    def background(self, *words, **options):
        """A command in the cluster's namespaces that is ended with the context."""
        with subprocess.Popen([self.state / "inside", *map(str, words)], stdin=subprocess.DEVNULL, start_new_session=True, **options) as process:
            try:
                yield process
            finally:
                os.killpg(process.pid, signal.SIGKILL)  # with the one that is in the process namespace

    def kubectl(self, *words, **options):
        return self.run("kubectl", *words, **options)

    def kubectl_as(self, account, *words, bound=(), **options):
        """What a service account may do, bound to an object (its kind and its name) or not."""
        token = self.kubectl("create", "token", account, *(("--bound-object-kind", bound[0], "--bound-object-name", bound[1]) if bound else ()))
        view = json.loads(self.kubectl("config", "view", "--raw", "--minify", "--output", "json").stdout)
        view["users"][0]["user"] = {"token": token.stdout.strip()}
        file = self.folder / "kubeconfig-of-account"
        file.write_text(json.dumps(view))
        return self.kubectl("--kubeconfig", file, *words, check=False, **options)

    def helm(self, *words, **options):
        return self.run("helm", *words, **options)

    def apply(self, *documents):
        """Creates objects, or changes them."""
        whole = {"apiVersion": "v1", "kind": "List", "items": documents}
        return self.kubectl("apply", "--filename", "-", input=json.dumps(whole))

    def get(self, *words):
        """What kubectl gets, as JSON; None where there is no such thing."""
        done = self.kubectl("get", *words, "--output", "json", "--ignore-not-found")
        return json.loads(done.stdout) if done.stdout else None

    def pods(self, selector=""):
        """The pods of the default namespace, by their names."""
        return {pod["metadata"]["name"]: pod for pod in (self.get("pods", "--selector", selector) or {"items": []})["items"]}

    def volume(self, name, place):
        """A claim of that name for a new folder in a place of this machine, which is given."""
        folder = pathlib.Path(place, name)
        folder.mkdir()
        folder.chmod(0o777)  # the users of pods are others
        common = {"accessModes": ["ReadWriteMany"], "storageClassName": ""}
        self.apply({"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name},
                    "spec": common | {"capacity": {"storage": "1Gi"}, "hostPath": {"path": str(folder), "type": "Directory"}}},
                   {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": "default"},
                    "spec": common | {"volumeName": name, "resources": {"requests": {"storage": "1Gi"}}}})
        return folder

    def wait(self, seconds, condition):
        """What the condition gives once that is true; an assertion fails where it never is."""
        end = time.monotonic() + seconds
        while not (found := condition()):
            assert time.monotonic() < end, f"not after {seconds} s: {self.kubectl('get', 'pods,events', check=False).stdout}"
            time.sleep(0.1)
        return found

    def phase(self, job):
        """Of a Volcano job."""
        return (self.get("vcjob", job) or {}).get("status", {}).get("state", {}).get("phase")

    def ended(self, job):
        """The phase in which a Volcano job has ended."""
        phase = self.phase(job)
        return phase if phase in ("Completed", "Failed", "Terminated", "Aborted") else None

    def ready(self, number):
        """Whether a node is."""
        conditions = self.get("node", f"node{number}")["status"]["conditions"]
        return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)

    def exec(self, pod, *words, **options):
        """A command in a pod's first container."""
        return self.kubectl("exec", pod, "--", *words, **options)

    def container_process(self, pod):
        """The id, in the cluster, of the first process of a pod's first container."""
        found = self.get("pod", pod)
        container = found["status"]["containerStatuses"][0]["containerID"].removeprefix("containerd://")
        socket = self.state / found["spec"]["nodeName"] / "containerd.sock"
        tasks = self.run("ctr", "--address", socket, "--namespace", "k8s.io", "task", "list").stdout.splitlines()
        return next(line.split()[1] for line in tasks if line.startswith(container))

    def netns(self, pod):
        """The words before a command of this machine that run it in the network of a running pod: run(*netns("p"), "tc", ...)."""
        return "nsenter", "--target", self.container_process(pod), "--net", "--"

    def kill_container(self, pod):
        self.run("kill", "-KILL", self.container_process(pod))

    def process(self, name):
        """The id, in the cluster, of one of its own programs: kube-apiserver, kubelet1, vc-webhook-manager ..."""
        return (self.state / "processes" / name).read_text().split()[0]

    def kill(self, name):
        self.run("kill", "-KILL", self.process(name))

    def kill_node(self, number):
        """Ends a node as a lost machine ends: its kubelet, its runtime and every container at once."""
        group = (self.state / "group").read_text().strip()
        self.kill(f"kubelet{number}")
        self.kill(f"containerd{number}")
        for top in ("/sys/fs/cgroup", *pathlib.Path("/sys/fs/cgroup").glob("*/")):
            for folder, _, _ in os.walk(pathlib.Path(top, group, f"node{number}")):
                for process in pathlib.Path(folder, "cgroup.procs").read_text().split():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(process), signal.SIGKILL)
