# SPDX-License-Identifier: Apache-2.0
"""Machines with GPUs and NICs: their CPUs, their devices in the kernel's files, and their topology files."""
import dataclasses

from shapes import Shape, numbered, write

GPU, ETHERNET, INFINIBAND, BRIDGE = "0x030200", "0x020000", "0x020700", "0x060400"
VENDORS = {GPU: "0x10de", INFINIBAND: "0x15b3", ETHERNET: "0x15b3", BRIDGE: "0x1000"}
AMAZON = "0x1d0f"


@dataclasses.dataclass(frozen=True)
class Device:
    address: str
    kind: str
    node: int  # the kernel's number of its NUMA node, -1 where it knows none
    rdma: str = ""  # name of its RDMA device
    below: tuple = ()  # addresses of the two bridges of its switch
    vendor: str = ""

    def write(self, tree):
        place = "/".join([f"sys/devices/pci{(self.below or (self.address,))[0][:7]}", *self.below, self.address])
        write(tree / place / "class", self.kind + "\n")
        write(tree / place / "vendor", (self.vendor or VENDORS[self.kind]) + "\n")
        write(tree / place / "device", "0x1021\n")
        write(tree / place / "numa_node", f"{self.node}\n")
        link(tree / "sys/bus/pci/devices" / self.address, f"../../../../{place}")
        if self.rdma:
            write(tree / place / "infiniband" / self.rdma / "ports/1/link_layer", "Ethernet\n")
            link(tree / place / "infiniband" / self.rdma / "device", f"../../../{self.address}")
            link(tree / "sys/class/infiniband" / self.rdma, f"../../../{place}/infiniband/{self.rdma}")


def link(place, target):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def switched(bus, node, *devices):
    """Devices below a switch of their own."""
    ports = (f"0000:{bus:02x}:00.0", f"0000:{bus + 1:02x}:00.0")
    bridges = [Device(port, BRIDGE, node, below=ports[:above]) for above, port in enumerate(ports)]
    return [*bridges, *(dataclasses.replace(device, node=node, below=ports) for device in devices)]


def file_of(*nodes):
    """A topology file: attributes of each node's 'cpu', and what is in it."""
    return "\n".join(['<system version="1">', *(f"<cpu {attributes}>{inside}</cpu>" for attributes, inside in nodes), "</system>"]) + "\n"


def gpus_of_file(*addresses):
    return "".join(f'<pci busid="{address}" class="{GPU}" link_speed="32.0 GT/s PCIe" link_width="16"/>' for address in addresses)


@dataclasses.dataclass(frozen=True)
class Machine:
    shape: Shape
    cpus: list  # of each rank, one for each GPU
    variables: list  # what each rank is told of its GPU and NIC
    by_options: bool  # whether mpirun's options can bind them so
    file: str = ""  # its topology file; empty where muster makes it
    devices: tuple = ()

    def write_tree(self, folder):
        self.shape.write_tree(folder)
        for device in self.devices:
            device.write(folder)


def told(gpu, nic=""):
    words = ["CUDA_DEVICE_ORDER=PCI_BUS_ID", f"CUDA_VISIBLE_DEVICES={gpu}"]
    if nic.startswith("rdmap"):  # of Amazon, which is no InfiniBand device for NCCL
        words.append(f"UCX_NET_DEVICES={nic}:1")
    elif nic:
        words += [f"NCCL_IB_HCA=={nic}", f"UCX_NET_DEVICES={nic}:1"]
    return words


def cores(first, count, step=1, threads=1, to_next=0):
    return sorted(first + step * core + to_next * thread for core in range(count) for thread in range(threads))


BY_TURNS = numbered(2, 1, 8, lambda node, core, thread: 2 * core + node + 16 * thread, 2)
OF_P4D = numbered(2, 1, 24, lambda node, core, thread: 24 * node + core + 48 * thread, 2)
FOUR = tuple(f"0000:{bus:02x}:00.0" for bus in (0x10, 0x20, 0x30, 0x40))

GPU_SHAPES = {
    "a file without masks": Machine(
        BY_TURNS, [cores(node + 8 * half, 4, 2, 2, 16) for node in range(2) for half in range(2)], [told(gpu) for gpu in range(4)], True,
        file_of(('numaid="0"', gpus_of_file(*FOUR[:2])), ('numaid="1"', gpus_of_file(*FOUR[2:])))),
    "a file without nodes and masks": Machine(
        numbered(1, 1, 16, lambda _, core, __: core), [cores(4 * rank, 4) for rank in range(4)], [told(gpu) for gpu in range(4)], False,
        file_of(('numaid="-1" arch="x86_64"', gpus_of_file(*FOUR)))),
    "a guest without NUMA": Machine(
        numbered(1, 1, 12, lambda _, core, thread: 2 * core + thread, 2, has_nodes=False),
        [list(range(6 * rank, 6 * rank + 6)) for rank in range(4)], [told(gpu) for gpu in range(4)], True,
        devices=tuple(Device(address, GPU, -1) for address in FOUR)),
    "RoCE beside each GPU": Machine(
        BY_TURNS, [cores(1, 8, 2, 2, 16), cores(0, 8, 2, 2, 16)], [told(0, "mlx5_7"), told(1, "mlx5_2")], False,
        devices=(*switched(0x10, 1, Device("0000:12:00.0", GPU, 1), Device("0000:13:00.0", ETHERNET, 1, "mlx5_7")),
                 *switched(0x20, 0, Device("0000:22:00.0", GPU, 0), Device("0000:23:00.0", ETHERNET, 0, "mlx5_2")),
                 Device("0000:05:00.0", ETHERNET, 0))),
    "EFA of two GPUs": Machine(
        OF_P4D, [cores(12 * rank, 12, threads=2, to_next=48) for rank in range(4)],
        [told(gpu, f"rdmap{16 * (1 + gpu // 2)}s27") for gpu in range(4)], True,
        file_of(*((f'numaid="{node}" affinity="{mask}"',
                   f'<pci busid="ffff:ff:0{1 + node}.0" class="{BRIDGE}">'
                   + gpus_of_file(f"0000:{1 + node}0:1c.0", f"0000:{1 + node}0:1d.0")
                   + f'<pci busid="0000:{1 + node}0:1b.0" class="{ETHERNET}"/></pci>')
                  for node, mask in enumerate(("000000ff,ffff0000,00ffffff", "ffffff00,0000ffff,ff000000")))),
        tuple(device for node in range(2) for device in (
            Device(f"0000:{1 + node}0:1c.0", GPU, node), Device(f"0000:{1 + node}0:1d.0", GPU, node),
            Device(f"0000:{1 + node}0:1b.0", ETHERNET, node, f"rdmap{16 * (1 + node)}s27", vendor=AMAZON)))),
    "two GPUs behind one address": Machine(
        numbered(2, 1, 8, lambda node, core, _: 8 * node + core), [cores(4 * rank, 4) for rank in range(4)],
        [told(gpu) for gpu in range(4)], True,
        file_of(*((f'numaid="{node}" affinity="{mask}"',
                   f'<pci busid="0000:{1 + node}0:00.0" class="{GPU}">'
                   + "".join(f'<gpu dev="{2 * node + part}" sm="100" mlopart="{part}"/>' for part in range(2)) + "</pci>")
                  for node, mask in enumerate(("000000ff", "0000ff00"))))),
}
