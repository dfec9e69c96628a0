# SPDX-License-Identifier: Apache-2.0
"""The chart allreduce in a real cluster in which something goes wrong: a run ends in bounded time, is never green, has a reason
that can be read, and leaves no pod that runs."""
import json
import pathlib
import subprocess
import time

from releases import LONGEST, Releases, main


class Failures(Releases):
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


if __name__ == "__main__":
    main()
