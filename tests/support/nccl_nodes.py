# SPDX-License-Identifier: Apache-2.0
"""Topology files as NCCL itself leaves them of a node (NCCL_TOPO_DUMP_FILE), and what hands of people make of them."""
import re
import typing


class Node(typing.NamedTuple):
    """A node of eight GPUs that NVSwitches join, with an adapter for each, under switches of its sockets."""
    sockets: int
    switches: int  # of each socket
    pairs: int  # of GPU and adapter, of each switch
    capability: int
    nvlinks: int
    speed: str
    megabits: int
    processor: str

    def text(self):
        lines, gpu = ['<system version="1">'], 0
        cores = 96 // self.sockets
        for socket in range(self.sockets):
            lines.append(f'  <cpu host_hash="0x0" numaid="{socket}" affinity="{mask(range(cores * socket, cores * (socket + 1)))}" {self.processor}>')
            for switch in range(self.switches):
                bus = 16 * (1 + socket * self.switches + switch)
                lines.append(f'    <pci busid="0000:{bus:02x}:00.0" class="0x060400" vendor="0x1b96" device="0xc030" '
                             f'subsystem_vendor="0x1b96" subsystem_device="0x0104" {self.link()}>')
                for pair in range(self.pairs):
                    lines += self.gpu(bus + 1 + pair, gpu + pair)
                for pair in range(self.pairs):
                    lines += self.adapter(bus + 8 + pair, gpu + pair)
                gpu += self.pairs
                lines.append("    </pci>")
            lines.append("  </cpu>")
        return "\n".join([*lines, "</system>", ""])

    def link(self):
        return f'link_speed="{self.speed} GT/s PCIe" link_width="16"'

    def gpu(self, bus, number):
        return [f'      <pci busid="0000:{bus:02x}:00.0" class="0x030200" vendor="0x10de" device="0x2330" subsystem_vendor="0x10de" '
                f'subsystem_device="0x16c1" {self.link()}>',
                f'        <gpu dev="{number}" sm="{self.capability}" rank="{number}" gdr="1">',
                f'          <nvlink target="fffffff:ffff:ff" count="{self.nvlinks}" tclass="0x068000"/>',
                "        </gpu>", "      </pci>"]

    def adapter(self, bus, number):
        return [f'      <pci busid="0000:{bus:02x}:00.0" class="0x020700" vendor="0x15b3" device="0x101e" subsystem_vendor="0x15b3" '
                f'subsystem_device="0x0023" {self.link()}>',
                "        <nic>",
                f'          <net name="mlx5_{number}" dev="{number}" latency="0.000000" speed="{self.megabits}" port="1" guid="0x{0x9a00 + number:x}" '
                'maxconn="131072" gdr="1" rail="-1" plane="-1"/>',
                "        </nic>", "      </pci>"]


def mask(cpus):
    value = sum(1 << cpu for cpu in cpus)
    return ",".join(f"{value >> 32 * word & 0xffffffff:08x}" for word in (2, 1, 0))


XEON = 'arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143"'
EPYC = 'arch="x86_64" vendor="AuthenticAMD" familyid="23" modelid="49"'
H100 = Node(sockets=2, switches=4, pairs=1, capability=90, nvlinks=18, speed="32.0", megabits=400000, processor=XEON)
A100 = Node(sockets=4, switches=1, pairs=2, capability=80, nvlinks=12, speed="16.0", megabits=200000, processor=EPYC)
