# SPDX-License-Identifier: Apache-2.0
"""gpu_memory as a program: without a GPU, with GPUs that have no driver, and with GPUs of tests in place of CUDA."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
import ndv5  # noqa: E402
from muster import BIN, accused, expect_refused, muster, report  # noqa: E402
from ndv5 import ADDRESSES, healthy  # noqa: E402

IN_MEMORY = BIN.parent / "tests/muster-gpu-memory"


class GpuMemory(ndv5.CudaCheck):
    program = "muster-gpu-memory"

    def test_healthy_gpus_pass_with_all_their_facts(self):
        run = self.run_with("nvml", healthy(), IN_MEMORY)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([fact["labels"]["pci"] for fact in self.facts("gpu_memory.wrong_words")], ADDRESSES)
        self.assertEqual({fact["labels"]["kernel"] for fact in self.facts("gpu_memory.bandwidth")},
                         {"write", "copy", "triad", "dot", "read"})
        self.assertEqual({fact["labels"]["pattern"] for fact in self.facts("gpu_memory.sweep_bandwidth")},
                         {"address", "random", "checkerboard", "inverse checkerboard", "moving inversions", "walking ones",
                          "walking zeros"})

    def test_a_gpu_that_forgets_is_named(self):
        run = self.run_with("nvml", healthy(), IN_MEMORY, MUSTER_FAULT="gpu_stuck_bit", MUSTER_FAULT_DEVICE=ADDRESSES[3])
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual(accused(report(self.folder), "gpu", "pci"), {("gpu_memory_wrong_data", "3", ADDRESSES[3])})
        self.assertIn("bit 17; wrong again when it was written again", " ".join(run.stdout.split()))

    def test_one_gpu_alone(self):
        run = self.run_with("nvml", healthy(), IN_MEMORY, "--gpu", "5")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([fact["labels"]["gpu"] for fact in self.facts("gpu_memory.access")], ["5"])

    def test_without_nvml_the_memory_is_tested_and_the_node_unknown(self):
        run = self.run_with(None, {}, IN_MEMORY, "--gpu", "0")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual(accused(report(self.folder), "gpu"), {("gpu_state_unreadable", "0")})
        self.assertEqual([fact["value"]["value"] for fact in self.facts("gpu_memory.wrong_words")], [0])

    def test_bad_input_is_one_sentence(self):
        run = self.run_with("nvml", healthy(), IN_MEMORY, "--gpu", "8")
        expect_refused(self, run, "--gpu 8: the kernel lists 8 NVIDIA GPUs, counted from 0")
        expect_refused(self, muster("--seed", "dice", program="muster-gpu-memory", folder=self.folder), "--seed", "dice")

    def test_no_gpu_of_tests_is_installed(self):
        self.assertIn("muster-gpu-memory", self.installed())
        programs = (self.folder / "installed/bin/muster-gpu-memory").read_bytes()
        self.assertNotIn(b"gpu_stuck_bit", programs)
        self.assertIn(b"gpu_stuck_bit", IN_MEMORY.read_bytes())


if __name__ == "__main__":
    beside.main(3)
