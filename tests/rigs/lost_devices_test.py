# SPDX-License-Identifier: Apache-2.0
"""A node of which all GPUs, adapters or drives are gone, or two of these, fails by the profile of its own kind."""
import itertools
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
import beside  # noqa: E402
from drawn import drawn  # noqa: E402
from machines import A100, H100, H200, made, made_in_memory  # noqa: E402
from muster import SOURCE, node, report  # noqa: E402

CHECKS = "inventory,kernel_log,cpu,ib_link"

def lose_devices(tree, folder):
    """Those whose PCI functions have this folder, or this class."""
    for place in tree.glob("sys/devices/pci*/*"):
        is_gpu = folder == "gpu" and (place / "class").read_text().startswith("0x0302")
        if is_gpu or (folder != "gpu" and (place / folder).exists()):
            (tree / "sys/bus/pci/devices" / place.name).unlink()
            shutil.rmtree(place)
    for links in ("sys/class/infiniband", "sys/class/nvme", "sys/class/net", "sys/block"):
        for link in (tree / links).iterdir():
            if not link.exists():
                link.unlink()


def lose(tree, kind):
    lose_devices(tree, {"gpus": "gpu", "nics": "infiniband", "drives": "nvme"}[kind])
    if kind == "gpus":
        shutil.rmtree(tree / "proc/driver")


LOSSES = [*itertools.combinations(("gpus", "nics", "drives"), 1), *itertools.combinations(("gpus", "nics", "drives"), 2)]


class Lost(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.folder = pathlib.Path(self.place.name)

    def judged(self, kind, losses, *, conf=True):
        folder = self.folder / "-".join((kind, *losses))
        tree = folder / "tree"
        folder.mkdir()
        made(kind, tree)
        if not conf:
            (tree / "etc/nccl.conf").unlink()
        for loss in losses:
            lose(tree, loss)
        run = node("--root", tree, "--tier", "preflight", "--only", CHECKS, folder=folder)
        return run.returncode, report(folder)

    def expect_lost(self, kind, profiles):
        def check(*losses):
            code, document = self.judged(kind, losses, conf=False)
            self.assertEqual(code, 1, document["summary"])
            self.assertEqual(document["profile"]["name"], profiles(losses))
            faults = {verdict["fault"] for run in document["checks"] for verdict in run["verdicts"] if verdict["status"] == "fail"}
            wanted = {"gpus": "gpu_missing", "nics": "nic_missing", "drives": "nvme_missing"}
            if kind == A100:
                del wanted["drives"]  # of which its profile does not tell how many it has
            self.assertLessEqual({wanted[loss] for loss in losses if loss in wanted}, faults)

        losses = [each for each in LOSSES if kind != A100 or each != ("drives",)]
        beside.each(self, check, drawn(2, losses))

    def test_of_an_h100_node(self):
        self.expect_lost(H100, lambda losses: f"{H100}+{H200}" if "gpus" in losses else H100)

    def test_of_an_h200_node(self):
        self.expect_lost(H200, lambda losses: f"{H100}+{H200}" if "gpus" in losses else H200)

    def test_of_an_a100_node(self):
        self.expect_lost(A100, lambda losses: A100)

    def test_whole_nodes_pass(self):
        for kind in H100, H200, A100:
            code, document = self.judged(kind, ())
            self.assertEqual((code, document["profile"]["name"]), (0, kind), document["summary"])
            self.assertNotIn("doubt", document["profile"])

    def test_a_machine_without_a_sign_of_gpus_is_generic_and_green_and_with_a_driver_it_is_warned_of(self):
        tree = self.folder / "laptop"
        shutil.copytree(SOURCE / "tests/machines/no_numa", tree, symlinks=True)
        for status in "pass", "warn":
            run = node("--root", tree, "--tier", "preflight", "--only", "inventory", folder=self.folder)
            document = report(self.folder)
            self.assertEqual((run.returncode, document["status"], document["profile"]["name"]), (0, status, "generic"),
                             json.dumps(document["summary"]))
            version = tree / "proc/driver/nvidia/version"
            version.parent.mkdir(parents=True, exist_ok=True)
            version.write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024\n")
        self.assertIn("the driver nvidia is loaded", document["profile"]["doubt"])


if __name__ == "__main__":
    made_in_memory()
    beside.main(2)
