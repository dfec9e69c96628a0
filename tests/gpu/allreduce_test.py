# SPDX-License-Identifier: Apache-2.0
"""The check allreduce on real GPUs: ranks that share the first one, each as a host of its own to NCCL.

With MUSTER_NCCL_TESTS=PATH/TO/all_reduce_perf it also runs that beside ours."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from job import MPIRUN  # noqa: E402
from muster import BIN, SOURCE, report  # noqa: E402

PROGRAM = BIN / "muster-allreduce"
FAULTS = BIN.parent / "tests/libnccl_faults.so"
SMALL = ("-b", "64K", "-e", "1M", "-f", "16", "-n", "20")
OPERATIONS = ("allreduce", "all-gather", "reduce-scatter", "broadcast", "all-to-all", "send-recv")
TYPES = ("float", "double", "half", "bfloat16", "int8", "int32", "int64", "uint64")
REDUCTIONS = ("sum", "prod", "min", "max", "avg")
ALONE = {"NCCL_NVLS_ENABLE": "0", "NCCL_SOCKET_IFNAME": "lo", "NCCL_IB_DISABLE": "1", "CUDA_VISIBLE_DEVICES": "0"}


def has_gpu():
    with tempfile.TemporaryDirectory() as folder:
        tried = subprocess.run([PROGRAM, "--ranks", "1", "-b", "4K", "-e", "4K", "-n", "6"], cwd=folder, capture_output=True,
                               check=False)
    return tried.returncode != 77


class Gpu(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def job(self, ranks, *words, environment=None):
        """Each rank with a host id of its own, because NCCL lets one host use a GPU once, and since 2.30 only when told."""
        command = [*MPIRUN]
        for rank in range(ranks):
            settings = ALONE | {"NCCL_HOSTID": f"muster{rank}", "NCCL_MULTI_RANK_GPU_ENABLE": "1"} | (environment or {})
            command += [":"] if rank else []
            command += ["-np", "1", *[word for item in settings.items() for word in ("-x", "=".join(item))], PROGRAM,
                        "--ranks-per-gpu", str(ranks), *words]
        return subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)

    def facts(self, metric):
        return [fact for fact in report(self.folder)["checks"][0]["measurements"] if fact["metric"] == f"allreduce.{metric}"]

    def test_one_rank_has_no_bus_bandwidth(self):
        run = self.job(1, "--ranks", 1, *SMALL)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(self.facts("bus_bandwidth"), [])
        self.assertTrue(self.facts("algorithm_bandwidth"))

    def test_ranks_on_one_gpu_tell_their_path(self):
        for ranks in (2, 4):
            with self.subTest(ranks):
                run = self.job(ranks, *SMALL)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertTrue(self.facts("bus_bandwidth"))
                self.assertEqual({fact["value"] for fact in self.facts("path_seen")}, {"yes"})
                self.assertEqual(self.facts("transport")[0]["value"], "NET/Socket")

    def test_every_operation_is_right(self):
        for operation in OPERATIONS:
            with self.subTest(operation):
                run = self.job(2, "--operation", operation, *SMALL)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_every_type_and_reduction_is_right(self):
        for words in [("-d", kind) for kind in TYPES] + [("-o", reduction, "-d", "half") for reduction in REDUCTIONS]:
            with self.subTest(" ".join(words)):
                run = self.job(2, *words, *SMALL)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_registered_buffers_are_right(self):
        run = self.job(2, "--register", *SMALL)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(self.facts("buffers")[0]["value"], "registered")

    def test_a_wrong_element_is_found(self):
        run = self.job(2, *SMALL, environment={"LD_PRELOAD": str(FAULTS), "MUSTER_FAULT": "wrong_element", "MUSTER_FAULT_RANK": "1"})
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        first = self.facts("first_wrong")
        self.assertEqual({fact["labels"]["rank"] for fact in first}, {"1"})
        self.assertIn(", element 7: ", first[0]["value"])

    def test_a_stopped_rank_is_named(self):
        self.job(2, "--timeout", 8, *SMALL, environment={"LD_PRELOAD": str(FAULTS), "MUSTER_FAULT": "stops", "MUSTER_FAULT_RANK": "1"})
        self.assertEqual({fact["labels"]["rank"] for fact in self.facts("lost_rank")}, {"1"})

    @unittest.skipUnless("MUSTER_NCCL_TESTS" in os.environ, "MUSTER_NCCL_TESTS names no all_reduce_perf")
    def test_nccl_tests_beside_ours(self):
        beside = SOURCE / "benchmarks/sweeps/against_nccl_tests"
        run = subprocess.run([beside, BIN, os.environ["MUSTER_NCCL_TESTS"]], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        print(run.stdout)


if __name__ == "__main__":
    if not has_gpu():
        print("skipped: CUDA finds no GPU here")
        sys.exit(77)
    unittest.main()
