# SPDX-License-Identifier: Apache-2.0
"""gpu_copy as a program: without a GPU, with GPUs that have no driver, and with GPUs of tests in place of CUDA."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
import ndv5  # noqa: E402
from muster import BIN, accused, expect_refused, muster, report  # noqa: E402
from ndv5 import ADDRESSES, healthy  # noqa: E402

IN_MEMORY = BIN.parent / "tests/muster-gpu-copy"
SMALL = ("--bytes", "64K")


class GpuCopy(ndv5.CudaCheck):
    program = "muster-gpu-copy"

    def test_healthy_gpus_pass_with_the_matrix_of_all_pairs(self):
        run = self.run_with("nvml", healthy(), IN_MEMORY, *SMALL)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        pairs = {(fact["labels"]["gpu"], fact["labels"]["partner"]) for fact in self.facts("gpu_copy.bandwidth")
                 if fact["labels"]["direction"] == "peer_to_peer"}
        self.assertEqual(pairs, {(str(one), str(other)) for one in range(8) for other in range(8) if one != other})
        for metric in ("kernel_bandwidth", "pageable_bandwidth", "together_bandwidth", "latency"):
            self.assertEqual(len(self.facts(f"gpu_copy.{metric}")), 16, metric)

    def test_a_gpu_that_sends_wrong_data_is_named(self):
        run = self.run_with("nvml", healthy(), IN_MEMORY, *SMALL, MUSTER_FAULT="gpu_miscopies_out",
                            MUSTER_FAULT_DEVICE=ADDRESSES[3])
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertEqual(accused(report(self.folder), "gpu", "direction"), {("gpu_copy_wrong_data", "3", "device_to_host")})

    def test_bad_input_is_one_sentence(self):
        expect_refused(self, muster("--bytes", "1", program="muster-gpu-copy", folder=self.folder), "--bytes")


if __name__ == "__main__":
    beside.main(3)
