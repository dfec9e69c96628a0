# SPDX-License-Identifier: Apache-2.0
"""gpu_state with an NVML of tests below the program: what it says of whole nodes, and of drivers that are old or not there."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, SOURCE, report  # noqa: E402

ADDRESSES = sorted(path.name for path in (SOURCE / "tests/machines/ndv5/sys/bus/pci/devices").iterdir()
                   if (path / "vendor").read_text().strip() == "0x10de" and (path / "class").read_text().startswith("0x0302"))
# The kernel's list of PCI devices becomes that of an NDv5 node, for the command alone.
ON_NDV5 = ["unshare", "--mount", "sh", "-ec", f'mount --bind {SOURCE}/tests/machines/ndv5/sys /sys; exec "$@"', "sh"]


def healthy():
    gpu = json.loads((SOURCE / "tests/support/nvml_h100.json").read_text())
    return {address: dict(gpu) for address in ADDRESSES}


@unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
class GpuState(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_with(self, library, gpus, *command):
        described = self.folder / "nvml"
        described.mkdir()
        for name, said in ({"nvml": {"nvmlInitWithFlags": 0, "nvmlSystemGetDriverVersion": "580.95.05"}} | gpus).items():
            (described / f"{name}.json").write_text(json.dumps(said))
        environment = os.environ | {"MUSTER_NVML_GPUS": str(described)}
        if library:
            environment["LD_LIBRARY_PATH"] = str(BIN.parent / "tests" / library)
        return subprocess.run([*ON_NDV5, *map(str, command), "--profile", "generic"], cwd=self.folder, env=environment,
                              capture_output=True, text=True, check=False, timeout=120)

    def facts(self, metric):
        return [fact for check in report(self.folder)["checks"] for fact in check["measurements"]
                if fact["metric"] == f"gpu_state.{metric}"]

    def test_without_nvml_it_is_skipped(self):
        run = self.run_with(None, {}, BIN / "muster-gpu-state")
        self.assertEqual(run.returncode, 77, run.stderr)
        self.assertIn("there is no NVML: libnvidia-ml.so.1", run.stderr)

    def test_all_gpus_of_a_machine(self):
        run = self.run_with("nvml", healthy(), BIN / "muster-gpu-state")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([fact["labels"]["pci"] for fact in self.facts("answer")], ADDRESSES)

    def test_what_an_old_driver_does_not_know_of_is_unknown(self):
        run = self.run_with("nvml_old", healthy(), BIN / "muster-gpu-state", "--gpu", "0")
        self.assertEqual(run.returncode, 3, run.stderr)
        unread = {fact["labels"]["field"]: fact["value"] for fact in self.facts("unreadable")}
        self.assertEqual(unread["ecc_mode"], "this driver's NVML does not know of it")
        self.assertEqual([fact["value"] for fact in self.facts("model")], ["NVIDIA H100 80GB HBM3"])

    def test_a_gpu_that_the_machine_does_not_have_is_bad_input(self):
        run = self.run_with("nvml", healthy(), BIN / "muster-gpu-state", "--gpu", "8")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("--gpu 8: the kernel lists 8 NVIDIA GPUs, counted from 0", run.stderr)

    def test_a_gpu_that_hangs_costs_its_own_results_alone(self):
        gpus = healthy()
        gpus[ADDRESSES[3]]["nvmlDeviceGetTemperature"] = "hangs"
        run = self.run_with("nvml", gpus, BIN / "muster", "node", "--only", "gpu_state", "--timeout", "3")
        self.assertEqual(run.returncode, 3, run.stderr)
        runs = {check["component"]["gpu"]: check for check in report(self.folder)["checks"] if check["check"] == "gpu_state"}
        self.assertEqual({gpu: check["outcome"] for gpu, check in runs.items()},
                         {str(gpu): "timed_out" if gpu == 3 else "finished" for gpu in range(8)})
        self.assertEqual({check["phase"] for check in runs.values() if check["outcome"] == "timed_out"},
                         {f"asking GPU 3 at {ADDRESSES[3]}"})

    def test_no_nvml_of_tests_is_installed(self):
        subprocess.run(["cmake", "--install", BIN.parent, "--prefix", self.folder / "installed"], check=True,
                       stdout=subprocess.DEVNULL)
        installed = [path.name for path in (self.folder / "installed").rglob("*")]
        self.assertIn("muster-gpu-state", installed)
        self.assertEqual([name for name in installed if "nvidia" in name], [])


if __name__ == "__main__":
    unittest.main()
