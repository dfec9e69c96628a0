# SPDX-License-Identifier: Apache-2.0
"""gpu_compute as a program: without a GPU, with GPUs that have no driver, and with GPUs of tests in place of CUDA."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
import ndv5  # noqa: E402
from muster import BIN, accused, expect_refused, muster, report  # noqa: E402
from ndv5 import ADDRESSES  # noqa: E402

IN_MEMORY = BIN.parent / "tests/muster-gpu-compute"
SMALL = ("--size", "64")
ARITHMETICS = ["fp64", "tf32", "bf16", "fp16", "fp8", "int8"]


def computing():
    """GPUs under a load that their power limits."""
    return {address: gpu | {"nvmlDeviceGetClockInfo": [0, 1755, 2619], "nvmlDeviceGetCurrentClocksEventReasons": 4}
            for address, gpu in ndv5.healthy().items()}


class GpuCompute(ndv5.CudaCheck):
    program = "muster-gpu-compute"

    def test_healthy_gpus_pass_with_all_their_facts(self):
        run = self.run_with("nvml", computing(), IN_MEMORY, *SMALL)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([(fact["labels"]["arithmetic"], fact["labels"]["pci"]) for fact in self.facts("gpu_compute.wrong_rows")],
                         [(arithmetic, address) for arithmetic in ARITHMETICS for address in ADDRESSES])
        hashes = {}
        for fact in self.facts("gpu_compute.hash"):
            hashes.setdefault(fact["labels"]["computation"], []).append(fact["value"])
        self.assertEqual({name: (len(values), len(set(values))) for name, values in hashes.items()},
                         {name: (8, 1) for name in [f"{arithmetic} product" for arithmetic in ARITHMETICS] + ["special functions", "sums"]})
        self.assertEqual({fact["limit"]["source"] for fact in self.facts("gpu_compute.rate") if fact["labels"]["arithmetic"] == "fp16"},
                         {"4096 operations x 132 multiprocessors x 1.76 GHz as observed"})

    def test_a_gpu_that_lies_is_named_with_the_first_wrong_element(self):
        run = self.run_with("nvml", computing(), IN_MEMORY, *SMALL, MUSTER_FAULT="gpu_miscomputes", MUSTER_FAULT_DEVICE=ADDRESSES[3])
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual(accused(report(self.folder), "gpu", "pci"), {("gpu_compute_wrong_result", "3", ADDRESSES[3])})
        self.assertIn("row 13, column 1", run.stdout)

    def test_one_gpu_alone_that_lies_is_found(self):
        run = self.run_with("nvml", computing(), IN_MEMORY, *SMALL, "--gpu", "5", MUSTER_FAULT="gpu_miscomputes")
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual(accused(report(self.folder), "gpu"), {("gpu_compute_wrong_result", "5")})

    def test_without_nvml_results_are_looked_at_and_the_node_unknown(self):
        run = self.run_with(None, {}, IN_MEMORY, *SMALL, "--gpu", "0")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual(accused(report(self.folder), "gpu"), {("gpu_state_unreadable", "0")})
        self.assertEqual({fact["value"]["value"] for fact in self.facts("gpu_compute.wrong_rows")}, {0})

    def test_bad_input_is_one_sentence(self):
        run = self.run_with("nvml", computing(), IN_MEMORY, "--gpu", "8")
        expect_refused(self, run, "--gpu 8: the kernel lists 8 NVIDIA GPUs, counted from 0")
        run = muster("--size", 100, program="muster-gpu-compute", folder=self.folder)
        expect_refused(self, run, "--size 100: give a multiple of 64 up to 8192")

    def test_no_gpu_of_tests_is_installed(self):
        self.assertIn("muster-gpu-compute", self.installed())
        self.assertNotIn(b"gpu_miscomputes", (self.folder / "installed/bin/muster-gpu-compute").read_bytes())
        self.assertIn(b"gpu_miscomputes", IN_MEMORY.read_bytes())


if __name__ == "__main__":
    beside.main(3)
