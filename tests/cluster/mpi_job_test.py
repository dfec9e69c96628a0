# SPDX-License-Identifier: Apache-2.0
"""The MPIJob of healthcheck/deploy with the real operator of Kubeflow: `muster launch` reaches all workers, whatever MPI the job is told
to be of, or names the one that it does not reach."""
import json
import pathlib
import subprocess

import yaml
from cluster import PLACE
from releases import IMAGE, SOURCE, TwoNodes, main

EXAMPLE = SOURCE / "healthcheck/deploy/mpi-operator/mpijob.yaml"
OPTIONS = ["--profile", "generic", "--summary", "/dev/termination-log", "--wait", "20", "host_allreduce", "-b", "4K", "-e", "64K", "-f", "16", "-n", "10"]
HOSTFILES = {"OpenMPI": "OMPI_MCA_orte_default_hostfile", "Intel": "I_MPI_HYDRA_HOST_FILE", "MPICH": "HYDRA_HOST_FILE"}


class MpiJobs(TwoNodes):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        built = subprocess.run([PLACE / "build.sh", "mpi_operator"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        cls.cluster.kubectl("apply", "--server-side", "--filename", f"{built}/kubeflow.org_mpijobs.yaml")
        cls.cluster.kubectl("wait", "--for=condition=Established", "--timeout=60s", "crd/mpijobs.kubeflow.org")
        cls.cluster.kubectl("create", "namespace", "mpi-operator")  # of its lease
        log = cls.enterClassContext(open(pathlib.Path(cls.place.name, "operator.log"), "wb"))
        cls.enterClassContext(cls.cluster.background(f"{built}/bin/mpi-operator", f"--kubeConfig={cls.cluster.state}/admin.conf",
                                                     stdout=log, stderr=log))

    def job(self, name, implementation, slots=2):
        """The example under another name, with the image of these sources, and a check that ends soon."""
        made = yaml.safe_load(EXAMPLE.read_text())
        made["metadata"] |= {"name": name, "namespace": "default"}
        made["spec"] |= {"mpiImplementation": implementation, "slotsPerWorker": slots}
        for replicas in made["spec"]["mpiReplicaSpecs"].values():
            replicas["template"]["spec"]["terminationGracePeriodSeconds"] = 1
            container, = replicas["template"]["spec"]["containers"]
            container |= {"image": f"{IMAGE['repository']}:{IMAGE['tag']}", "imagePullPolicy": "Never"}
            if container["command"][-1] == "host_allreduce":
                container["command"][-1:] = OPTIONS
        return made

    def launcher(self, name):
        """The name of a job's launcher, and how it has ended."""
        for pod, found in self.cluster.pods(f"training.kubeflow.org/job-name={name},training.kubeflow.org/job-role=launcher").items():
            for container in found["status"].get("containerStatuses", []):
                if end := container["state"].get("terminated"):
                    return pod, end
        return None

    def run_job(self, job):
        """The launcher's exit code, its summary, and what it said."""
        name = job["metadata"]["name"]
        self.cluster.apply(job)
        self.addCleanup(self.cluster.kubectl, "delete", "mpijob", name)
        pod, end = self.cluster.wait(120, lambda: self.launcher(name))
        return end["exitCode"], json.loads(end.get("message") or "null"), self.cluster.kubectl("logs", pod).stdout

    def test_a_job_of_any_mpi_reaches_all_its_workers(self):
        for slots, (implementation, variable) in enumerate(HOSTFILES.items(), 1):
            with self.subTest(implementation):
                code, summary, said = self.run_job(self.job(f"of-{implementation.lower()}", implementation, slots))
                self.assertEqual(code, 0, said)
                self.assertEqual(summary["host_count"], 2)
                self.assertIn(f"hosts: 2 of {variable} /etc/mpi/hostfile", said)

    def test_a_worker_that_is_not_reached_is_named(self):
        job = self.job("lacks", "OpenMPI")
        worker, = job["spec"]["mpiReplicaSpecs"]["Worker"]["template"]["spec"]["containers"]
        worker["command"] = ["sh", "-c", f'case $(hostname) in *-1) exec sleep 1000 ;; esac; exec {" ".join(worker["command"])}']
        code, summary, said = self.run_job(job)
        self.assertEqual(code, 3, said)
        self.assertEqual(summary["status"], "unknown")
        self.assertRegex(said, r"absent_host +lacks-worker-1\.lacks\.default\.svc\s")
        self.assertNotRegex(said, r"absent_host +lacks-worker-0")


if __name__ == "__main__":
    main()
