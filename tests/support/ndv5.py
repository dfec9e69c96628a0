# SPDX-License-Identifier: Apache-2.0
"""Programs that see the GPUs of an NDv5 node: the kernel's, by a mount for them alone, and an NVML of tests."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from muster import BIN, SOURCE, accused, install, report

ADDRESSES = sorted(path.name for path in (SOURCE / "tests/machines/ndv5/sys/bus/pci/devices").iterdir()
                   if (path / "vendor").read_text().strip() == "0x10de" and (path / "class").read_text().startswith("0x0302"))

def with_devices_of(machine):
    """What stands before a command for which the kernel's list of PCI devices becomes that of a machine of tests/machines."""
    return ["unshare", "--mount", "sh", "-ec", 'mount --bind "$0" /sys; exec "$@"', f"{SOURCE}/tests/machines/{machine}/sys"]


def healthy():
    gpu = json.loads((SOURCE / "tests/support/nvml_h100.json").read_text())
    return {address: dict(gpu) for address in ADDRESSES}


@unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
class OnNdv5(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def run_with(self, library, gpus, *command, machine="ndv5", **environment):
        """With the NVML of this folder of tests, or none, and what it says of each GPU."""
        described = self.folder / "nvml"
        described.mkdir()
        for name, said in ({"nvml": {"nvmlInitWithFlags": 0, "nvmlSystemGetDriverVersion": "580.95.05"}} | gpus).items():
            (described / f"{name}.json").write_text(json.dumps(said))
        environment |= {"MUSTER_NVML_GPUS": str(described)}
        if library:
            environment["LD_LIBRARY_PATH"] = str(BIN.parent / "tests" / library)
        return subprocess.run([*with_devices_of(machine), *map(str, command), "--profile", "generic"], cwd=self.folder, env=os.environ | environment,
                              capture_output=True, text=True, check=False, timeout=120)

    def facts(self, metric):
        return [fact for check in report(self.folder)["checks"] for fact in check["measurements"] if fact["metric"] == metric]

    def installed(self):
        """The names of all that is installed."""
        return [path.name for path in install(self.folder / "installed").rglob("*")]


class CudaCheck(OnNdv5):
    """What every check by CUDA says of a machine without a GPU, and of one without a driver. Taken as ndv5.CudaCheck, or it would run itself."""
    program = None

    def test_a_machine_without_a_gpu_is_skipped(self):
        run = self.run_with(None, {}, BIN / self.program, machine="no_numa")
        self.assertEqual(run.returncode, 77, run.stdout + run.stderr)
        self.assertIn("no NVIDIA GPU", run.stdout)

    def test_gpus_without_a_driver_are_unknown_in_cudas_words(self):
        run = self.run_with("nvml", healthy(), BIN / self.program)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        self.assertEqual(accused(report(self.folder), "pci"), {("gpu_not_tested", address) for address in ADDRESSES})
        for check in report(self.folder)["checks"]:
            for fact in check["measurements"]:
                if fact["metric"].endswith(".access"):
                    self.assertIn("driver", fact["value"])
