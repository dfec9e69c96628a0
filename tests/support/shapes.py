# SPDX-License-Identifier: Apache-2.0
"""Machines by the numbers of their CPUs: as a tree of the kernel's files for muster, and as an XML of hwloc for mpirun."""
import ctypes

HWLOC = "libhwloc.so.15"


class Shape:
    """CPUs by package, NUMA node and core, in hwloc's order: `cpus[package][node][core]` is a list of threads."""

    def __init__(self, cpus, numbers=None, has_nodes=True):
        self.packages = cpus
        self.has_nodes = has_nodes  # in the kernel's files
        nodes = [node for package in cpus for node in package]
        self.nodes = dict(zip(numbers or range(len(nodes)), nodes))

    def write_tree(self, folder):
        """What `muster topology --root` reads."""
        everything = []
        for package in self.packages:
            in_package = [cpu for node in package for core in node for cpu in core]
            for core in (core for node in package for core in node):
                for cpu in core:
                    topology = f"sys/devices/system/cpu/cpu{cpu}/topology"
                    write(folder / topology / "core_cpus_list", kernel_list(core))
                    write(folder / topology / "package_cpus_list", kernel_list(in_package))
            everything += in_package
        for number, node in self.nodes.items() if self.has_nodes else ():
            write(folder / f"sys/devices/system/node/node{number}/cpulist",
                  kernel_list(cpu for core in node for cpu in core))
        write(folder / "sys/devices/system/cpu/online", kernel_list(everything))
        write(folder / "proc/mounts", "")

    def write_hwloc(self, file):
        """What HWLOC_XMLFILE reads. A synthetic machine is even, so the cores that this one lacks are taken out."""
        nodes = max(len(package) for package in self.packages)
        cores = max(len(node) for node in self.nodes.values())
        threads = max(len(core) for node in self.nodes.values() for core in node)
        numbers, absent = [], []
        spare = 1000
        for package in self.packages:
            for at in range(nodes * cores * threads):
                node, core, thread = at // (cores * threads), at // threads % cores, at % threads
                try:
                    numbers.append(package[node][core][thread])
                except IndexError:
                    spare += 1
                    numbers.append(spare)
                    absent.append(spare)
        indexes = ",".join(map(str, numbers))
        export(f"pack:{len(self.packages)} numa:{nodes} core:{cores} pu:{threads}(indexes={indexes})",
               set(numbers) - set(absent), file)


def numbered(packages, nodes, cores, number, threads=1, has_nodes=True):
    """A machine of even parts whose CPUs have numbers by node, core and thread."""
    return Shape([[[[number(package * nodes + node, core, thread) for thread in range(threads)] for core in range(cores)]
                   for node in range(nodes)] for package in range(packages)], has_nodes=has_nodes)


def kernel_list(cpus):
    return ",".join(map(str, sorted(cpus))) + "\n"


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def export(synthetic, cpus, file):
    """The synthetic machine with these CPUs alone, as XML."""
    hwloc = ctypes.CDLL(HWLOC)
    hwloc.hwloc_bitmap_alloc.restype = ctypes.c_void_p
    topology = ctypes.c_void_p()
    kept = ctypes.c_void_p(hwloc.hwloc_bitmap_alloc())
    text = ",".join(map(str, sorted(cpus))).encode()
    calls = [("hwloc_topology_init", ctypes.byref(topology)), ("hwloc_topology_set_synthetic", topology, synthetic.encode()),
             ("hwloc_topology_load", topology), ("hwloc_bitmap_list_sscanf", kept, text),
             ("hwloc_topology_restrict", topology, kept, ctypes.c_ulong(0)),
             ("hwloc_topology_export_xml", topology, str(file).encode(), ctypes.c_ulong(0))]
    for name, *arguments in calls:
        if getattr(hwloc, name)(*arguments) != 0:
            raise OSError(f"{name} refuses {synthetic}")
