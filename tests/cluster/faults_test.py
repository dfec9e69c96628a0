# SPDX-License-Identifier: Apache-2.0
"""More that goes wrong with the chart allreduce in a real cluster: a slow worker, memory that cannot be locked, a volume that is full,
names that are gone."""
import os
import sys

from profiles import locked_memory
from releases import Releases, main

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import accused, muster, report  # noqa: E402

# There are more ranks than cores here, and each pod has one address in a network of its own.
FEW_CORES = {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_mpi_yield_when_idle": 1}


class Faults(Releases):
    """With volumes that are folders of this machine."""

    def test_a_slow_worker_is_named(self):
        folder = self.cluster.volume("reports", self.place.name)
        values = {"numNodes": 3, "sizes": {"min": "64K", "max": "64K"}, "checkArguments": ["--in-place"], "mpi": FEW_CORES,
                  "results": {"claim": "reports"}}
        values["profileContent"] = self.calibrated(folder, values)
        self.expect_healthy("healthy", **values)
        job = self.install("slow", **values)
        slow = f"{job}-worker-1"
        self.throttle(slow)
        self.expect("slow", 1, f'"host":"{slow}","metric":"host_allreduce.slow_path"')
        self.expect_all_ended("slow")
        found = accused(report(folder, f"{job}.json"), "host")
        self.assertEqual({host for fault, host in found if fault == "host_allreduce_slow_path"}, {slow})
        self.assertIn("slower_than_calibrated", {fault for fault, _ in found})

    def calibrated(self, folder, values):
        """The profile of a healthy run, of another one where a machine that others share left it too uncertain."""
        for number in range(5):
            job = self.expect_healthy(f"measured{number}", **values)
            made = muster("calibrate", f"{job}.json", "--name", "here", "--pass", 0.3, "--fail", 0.2, folder=folder)
            if "certain enough for thresholds" not in made.stderr:
                break
        self.assertEqual(made.returncode, 0, made.stderr)
        return made.stdout

    def throttle(self, pod):
        """Slows what a worker sends as soon as it runs: the launcher waits for all of them."""
        self.cluster.wait(60, lambda: self.running(pod))
        self.cluster.run(*self.cluster.netns(pod), "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", "20mbit",
                         "burst", "16kb", "latency", "400ms")

    def test_a_worker_that_cannot_lock_memory_is_named(self):
        self.expect_healthy("locking", profileContent=locked_memory())
        job = self.install("unlocking", profileContent=locked_memory(), edit=(
            r"command: \[muster\]\n( +)args:\n( +)- worker\n",
            r"""command: [sh, -c, 'case $HOSTNAME in *-worker-1) ulimit -l 64 ;; esac; exec muster "$@"', sh]\n\1args:\n\2- worker\n"""))
        self.expect("unlocking", 1, f'"host":"{job}-worker-1","metric":"host_allreduce.locked_memory"')
        self.expect_all_ended("unlocking")

    def test_no_room_for_the_report(self):
        folder = self.cluster.volume("full", self.place.name)
        self.cluster.run("mount", "-t", "tmpfs", "-o", "size=64k,mode=777", "full", folder)
        self.cluster.run("sh", "-c", f"! head -c 1M /dev/zero >{folder}/other")  # which fills it
        for launcher in ("volcano", "job"):
            with self.subTest(launcher=launcher):
                name = f"full-{launcher}"
                self.install(name, launcher=launcher, numNodes=1, ranksPerNode=2, results={"claim": "full"})
                self.expect(name, 3, "exit code 2.*--report /results/.* cannot be written .*No space left")
                self.expect_all_ended(name)


class Nameless(Releases):
    """A cluster of its own, which has no name server any more."""

    def test_no_name_server(self):
        self.cluster.kill("coredns")
        job = self.install("nameless")
        self.expect("nameless", 3, f"{job}-worker-[01].*its name cannot be resolved")
        self.expect_all_ended("nameless")


if __name__ == "__main__":
    main()
