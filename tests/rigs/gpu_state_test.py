# SPDX-License-Identifier: Apache-2.0
"""gpu_state with an NVML of tests below the program: what it says of whole nodes, and of drivers that are old or not there."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from muster import BIN, report  # noqa: E402
from ndv5 import ADDRESSES, OnNdv5, healthy  # noqa: E402


class GpuState(OnNdv5):
    def test_without_nvml_it_is_skipped(self):
        run = self.run_with(None, {}, BIN / "muster-gpu-state")
        self.assertEqual(run.returncode, 77, run.stdout + run.stderr)
        self.assertIn("there is no NVML: libnvidia-ml.so.1", run.stdout)

    def test_all_gpus_of_a_machine(self):
        run = self.run_with("nvml", healthy(), BIN / "muster-gpu-state")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([fact["labels"]["pci"] for fact in self.facts("gpu_state.answer")], ADDRESSES)

    def test_what_an_old_driver_does_not_know_of_is_unknown(self):
        run = self.run_with("nvml_old", healthy(), BIN / "muster-gpu-state", "--gpu", "0")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        unread = {fact["labels"]["field"]: fact["value"] for fact in self.facts("gpu_state.unreadable")}
        self.assertEqual(unread["ecc_mode"], "this driver's NVML does not know of it")
        self.assertEqual([fact["value"] for fact in self.facts("gpu_state.model")], ["NVIDIA H100 80GB HBM3"])

    def test_a_gpu_that_the_machine_does_not_have_is_bad_input(self):
        run = self.run_with("nvml", healthy(), BIN / "muster-gpu-state", "--gpu", "8")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--gpu 8: the kernel lists 8 NVIDIA GPUs, counted from 0", run.stderr)

    def test_a_gpu_that_hangs_costs_its_own_results_alone(self):
        gpus = healthy()
        gpus[ADDRESSES[3]]["nvmlDeviceGetTemperature"] = "hangs"
        run = self.run_with("nvml", gpus, BIN / "muster", "node", "--even-if-in-use", "--lock", self.folder / "lock", "--only", "gpu_state", "--timeout", "3")
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        runs = {check["component"]["gpu"]: check for check in report(self.folder)["checks"] if check["check"] == "gpu_state"}
        self.assertEqual({gpu: check["outcome"] for gpu, check in runs.items()},
                         {str(gpu): "timed_out" if gpu == 3 else "finished" for gpu in range(8)})
        self.assertEqual({check["phase"] for check in runs.values() if check["outcome"] == "timed_out"},
                         {f"asking GPU 3 at {ADDRESSES[3]}"})

    def test_no_nvml_of_tests_is_installed(self):
        installed = self.installed()
        self.assertIn("muster-gpu-state", installed)
        self.assertEqual([name for name in installed if "nvidia" in name], [])


if __name__ == "__main__":
    beside.main(3)
