# SPDX-License-Identifier: Apache-2.0
"""The captured ND H100 v5 node, and other kinds of machine made of it."""
import os
import re
import shutil
import tempfile

from muster import SOURCE

MACHINE = SOURCE / "tests/machines/ndv5"
H100, H200, A100 = "nd96isr_h100_v5", "nd96isr_h200_v5", "nd96amsr_a100_v4"

MEMORY, MIN_FREE = "/dev/shm", 1 << 30  # bytes


def made_in_memory():
    """Has the temporary folders of this rig in memory, as those of C++ tests are: disks take long for thousands of small files."""
    if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK | os.X_OK):
        room = os.statvfs(MEMORY)
        if room.f_bavail * room.f_frsize > MIN_FREE:
            tempfile.tempdir = MEMORY


def replaced(tree, pattern, before, after):
    for file in tree.glob(pattern):
        text = file.read_text()
        if before in text:
            file.write_text(text.replace(before, after))


def four_nodes(tree):
    """NUMA nodes, in place of two."""
    devices, nodes = "sys/devices/pci*/*/local_cpulist", tree / "sys/devices/system/node"
    quarters = (("0-23", "00000000,00000000,00ffffff"), ("24-47", "00000000,0000ffff,ff000000"),
              ("48-71", "000000ff,ffff0000,00000000"), ("72-95", "ffffff00,00000000,00000000"))
    for number, ((cpus, mask), before) in enumerate(zip(quarters, ("0-47", "48-95"))):
        replaced(tree, devices, before, cpus)
        replaced(tree, "opt/microsoft/*.xml", (nodes / f"node{number}/cpumap").read_text().strip(), mask)
    for number in (2, 3):
        shutil.copytree(nodes / "node1", nodes / f"node{number}")
        replaced(tree, f"sys/devices/system/node/node{number}/meminfo", "Node 1", f"Node {number}")
    for number, (cpus, mask) in enumerate(quarters):
        (nodes / f"node{number}/cpulist").write_text(cpus + "\n")
        (nodes / f"node{number}/cpumap").write_text(mask + "\n")
        (nodes / f"node{number}/distance").write_text(" ".join("10" if other == number else "21" for other in range(4)) + "\n")
    for name in ("online", "possible", "has_cpu", "has_memory"):
        (nodes / name).write_text("0-3\n")


def made(kind, tree):
    """The captured machine, or another one made of it."""
    shutil.copytree(MACHINE, tree, symlinks=True)
    devices = "sys/devices/pci*/*/device"
    if kind == H200:
        replaced(tree, devices, "0x2330", "0x2335")
        replaced(tree, "proc/driver/nvidia/gpus/*/information", "NVIDIA H100 80GB HBM3", "NVIDIA H200")
    if kind == A100:
        replaced(tree, devices, "0x2330", "0x20b2")
        replaced(tree, "sys/devices/pci*/*/infiniband/*/ports/1/rate", "400 Gb/sec (4X NDR)", "200 Gb/sec (4X HDR)")
        four_nodes(tree)
        meminfo = tree / "proc/meminfo"
        meminfo.write_text(re.sub(r"MemTotal: +\d+ kB", "MemTotal:       1855425871 kB", meminfo.read_text()))
