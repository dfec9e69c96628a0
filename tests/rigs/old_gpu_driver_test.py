# SPDX-License-Identifier: Apache-2.0
"""A GPU driver that is too old for this build is an error that names both versions, and none at all is nothing to measure."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, report  # noqa: E402

PROGRAM = BIN / "muster-gpu-devices"
# What the CUDA runtime asks of a driver before all else: that of CUDA 11.4.
DRIVER = "int cuDriverGetVersion(int *version) { *version = 11040; return 0; }\nint cuInit(unsigned flags) { return 0; }\n"


class OldDriver(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def outcome(self, **environment):
        subprocess.run([PROGRAM, "--quiet", "--profile", "generic"], cwd=self.folder, check=False, stdin=subprocess.DEVNULL,
                       env={**os.environ, **environment})
        run, = [run for run in report(self.folder)["checks"] if run["check"] == "gpu_devices"]
        return run["outcome"], run["reason"]

    def test_one_that_is_too_old_is_an_error_with_both_versions(self):
        (self.folder / "driver.c").write_text(DRIVER)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", self.folder / "libcuda.so.1", self.folder / "driver.c"], check=True)
        outcome, reason = self.outcome(LD_LIBRARY_PATH=str(self.folder))
        self.assertEqual(outcome, "error")
        self.assertRegex(reason, r"^the GPU driver is one for CUDA 11\.4, and muster was built with CUDA 1[23]\.\d+: ")

    def test_none_is_nothing_to_measure(self):
        if pathlib.Path("/proc/driver/nvidia").exists():
            raise unittest.SkipTest("there is one here")
        self.assertEqual(self.outcome(), ("skipped", "there is no GPU driver"))


if __name__ == "__main__":
    if not PROGRAM.exists():
        print("skipped: built without CUDA")
        sys.exit(77)
    unittest.main()
