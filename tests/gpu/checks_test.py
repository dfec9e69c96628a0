# SPDX-License-Identifier: Apache-2.0
"""gpu_state, gpu_memory, gpu_copy and gpu_compute on real GPUs.

With MUSTER_BABELSTREAM, MUSTER_CUDA_MEMTEST or MUSTER_NVBANDWIDTH=PATH/TO/PROGRAM ours also runs beside that."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import BIN, SOURCE, accused, muster, report  # noqa: E402

PEERS = {"MUSTER_BABELSTREAM": "against_babelstream", "MUSTER_CUDA_MEMTEST": "against_cuda_memtest",
         "MUSTER_NVBANDWIDTH": "against_nvbandwidth"}


def has_gpu():
    with tempfile.TemporaryDirectory() as folder:
        return muster(program="muster-gpu-devices", folder=folder).returncode != 77


class Checks(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def facts(self, metric):
        return [fact["value"] for fact in report(self.folder)["checks"][0]["measurements"] if fact["metric"] == metric]

    def test_state_is_read(self):
        run = muster("--profile", "generic", program="muster-gpu-state", folder=self.folder)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertEqual(set(self.facts("gpu_state.answer")), {"yes"})
        self.assertEqual(self.facts("gpu_state.unreadable"), [])

    def test_memory_is_tested(self):
        run = muster("--profile", "generic", program="muster-gpu-memory", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(set(self.facts("gpu_memory.outcome")), {"completed"})
        self.assertTrue(all(share["value"] > 0.9 for share in self.facts("gpu_memory.tested_share")))

    def test_copies_are_measured(self):
        run = muster("--profile", "generic", program="muster-gpu-copy", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(set(self.facts("gpu_copy.outcome")), {"completed"})

    def test_results_are_right_and_the_same_again(self):
        run = muster("--profile", "generic", program="muster-gpu-compute", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(set(self.facts("gpu_compute.outcome")), {"completed"})
        rates = [fact for fact in report(self.folder)["checks"][0]["measurements"] if fact["metric"] == "gpu_compute.rate"]
        self.assertLessEqual({"fp64", "tf32", "bf16", "fp16", "int8"}, {fact["labels"]["arithmetic"] for fact in rates})
        for fact in rates:
            print(f"{fact['labels']}: {fact['value']['value'] / 1e12:.1f} of {fact.get('limit')}")

    def test_gpus_that_are_hidden_are_unknown(self):
        for program, metric in (("muster-gpu-memory", "gpu_memory.access"), ("muster-gpu-copy", "gpu_copy.access"),
                                ("muster-gpu-compute", "gpu_compute.access")):
            with self.subTest(program):
                run = muster("--profile", "generic", program=program, folder=self.folder,
                             env=os.environ | {"CUDA_VISIBLE_DEVICES": "nonsense"})
                self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
                self.assertEqual(accused(report(self.folder)), {("gpu_not_tested",)})
                for words in self.facts(metric):
                    self.assertIn('CUDA_VISIBLE_DEVICES is "nonsense"', words)

    @unittest.skipUnless(PEERS.keys() & os.environ.keys(), f"none of {', '.join(PEERS)} names a program")
    def test_beside_peers(self):
        for variable in PEERS.keys() & os.environ.keys():
            sweep = PEERS[variable]
            with self.subTest(sweep):
                run = subprocess.run([SOURCE / "benchmarks/sweeps" / sweep, BIN, os.environ[variable]], capture_output=True,
                                     text=True, check=False, stdin=subprocess.DEVNULL)
                print(run.stdout)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertNotIn(": no\n", run.stdout)


if __name__ == "__main__":
    if not has_gpu():
        print("skipped: CUDA finds no GPU here")
        sys.exit(77)
    unittest.main()
