# SPDX-License-Identifier: Apache-2.0
"""A day of 288 nodes on which jobs abort, programs crash and links come up: no node fails. On each of further nodes the
same day has one hardware XID of NVIDIA's catalogue: it is named, with its GPU, and nothing else is blamed."""
import os
import pathlib
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import muster, only_report  # noqa: E402

WHOLE = os.environ.get("MUSTER_WHOLE") == "1"
NODES = 288 if WHOLE else 12
DAY = 86400
# NVIDIA NVSentinel counted 168,924 messages of XID 45 on 288 nodes in two days.
CLEAN_UPS = 168_924 / 288 / 2
GPUS = [f"0000:{bus:02x}:00" for bus in (0x18, 0x2a, 0x3a, 0x5d, 0x9a, 0xab, 0xba, 0xdb)]

# What NVIDIA's "XID errors" calls an error of the GPU, of its memory, of NVLink or of PCI Express, with what the driver
# says in each (src/nvidia/src/kernel/gpu/rc, gpu/gsp, gpu/bus, gpu/nvlink of its open kernel modules).
HARDWARE = {
    46: "GPU stopped processing",
    48: "An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at physical address 0x2f00 "
        "partition 3, subpartition 1.",
    54: "Auxiliary power is not connected", 57: "Error programming video memory interface", 58: "Unstable video memory",
    61: "Internal micro-controller breakpoint", 62: "Internal micro-controller halt",
    63: "Row Remapper: New row (0x0000000170b1f0c0) marked for remapping, reset gpu to activate.",
    64: "Row Remapper Error: (0x0000000170b1f0c0) - All reserved rows for bank are remapped",
    74: "NVLink: fatal error detected on link 5(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
    79: "GPU has fallen off the bus.", 92: "High single-bit ECC error rate",
    94: "Contained: SM (0x1). RST: No, D-RST: No", 95: "Uncontained: FBHUB. RST: Yes, D-RST: No",
    109: "Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x4c00d", 110: "Security Fault",
    119: "Timeout after 6s of waiting for RPC response from GPU2 GSP! Expected function 10 (FREE) (0xa55a0020 0x0).",
    120: "GSP task exception: 0xf (trap) in task 2", 122: "SPI PMU RPC read failure", 123: "SPI PMU RPC write failure",
    124: "SPI PMU RPC erase failure", 125: "Inforom FS error", 136: "Link 7 training failed",
    140: "An uncorrectable ECC error detected (possible firmware handling failure) DRAM:-1840691462, LTC:0, MMU:0, PCIE:0",
    143: "GPU initialization failure",
    **{xid: f"{unit} Fatal XC0 i0 Link 04 (0x00000001 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000)"
       for xid, unit in zip(range(144, 151), ("SAW_MVB", "RLW_CTRL", "TLW_RX/TLW_RX_PIPE0", "TREX", "NVLPW_CTRL",
                                              "NETIR_INT", "MSE"))},
    151: "Key rotation error", 154: "GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)",
    155: "NVLink: SW defined error", 156: "Resource retirement event", 157: "Resource retirement failure",
    158: "GPU fatal timeout", 160: "Channel retirement event", 161: "Channel retirement failure",
    167: "PCIE fatal timeout", 168: "Errors found in WPR", 169: "Internal micro-controller halt",
    171: "Uncorrectable DRAM error", 172: "Uncorrectable SRAM error",
}
# What the driver says without a process.
WITHOUT_PROCESS = {154}


def xid(gpu, number, rest, process="pid='<unknown>', name=<unknown>, "):
    return f"NVRM: Xid (PCI:{gpu}): {number}, {'' if number in WITHOUT_PROCESS else process}{rest}"


class Day:
    """What one node says from its boot on."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.said = []
        self.boot()
        clean_ups = 0
        while clean_ups < CLEAN_UPS:
            clean_ups += self.abort()
        for _ in range(self.chance.randrange(4)):
            self.crash()
        self.say(DAY, "systemd-journald[812]: Data hash table of /run/log/journal has a fill level at 75.0")

    def say(self, seconds, text):
        self.said.append((seconds, text))

    def boot(self):
        self.say(0, "Linux version 5.15.0-1074-azure (buildd@lcy02) (gcc 11.4.0) #83-Ubuntu SMP")
        self.say(0.001, "Command line: BOOT_IMAGE=/vmlinuz root=/dev/sda1 console=ttyS0")
        for number in range(8):
            pci = f"0{number + 1:x}01:00:00.0".rjust(12, "0")
            self.say(6 + number, f"mlx5_core {pci}: firmware version: 28.39.3560")
            self.say(7 + number, f"mlx5_core {pci} mlx5_ib{number}: Port: 1 Link DOWN")
            self.say(8 + number, f"mlx5_core {pci} mlx5_ib{number}: Port: 1 Link INIT")
            self.say(9 + number, f"mlx5_core {pci} mlx5_ib{number}: Port: 1 Link ACTIVE")
            self.say(9.5 + number, f"mlx5_core {pci} ib{number}: Link up")
            self.say(20, f"nvme nvme{number}: {self.chance.choice((32, 96))}/0/0 default/read/poll queues")
        self.say(21, "mlx5_core 7c00:00:02.0 enP31744s1: Link down")
        self.say(22, "mlx5_core 7c00:00:02.0 enP31744s1: Link up")
        self.say(30, "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  550.90.07  Release Build")

    def process(self):
        return f"pid={self.chance.randrange(3000, 4_000_000)}, name={self.chance.choice(('python3', 'pt_main_thread'))}, "

    def abort(self):
        """A job ends: each GPU cleans up its channels."""
        start = self.chance.uniform(100, DAY - 100)
        channels = self.chance.randrange(4, 16)
        for gpu in GPUS:
            process = self.process()
            for channel in range(channels):
                self.say(start + channel * 1e-4, xid(gpu, 45, f"Ch {channel:08x}", process))
        return channels * len(GPUS)

    def crash(self):
        start = self.chance.uniform(100, DAY - 100)
        gpu, process = self.chance.choice(GPUS), self.process()
        number = self.chance.choice((13, 31, 43))
        rest = {13: "Graphics SM Warp Exception on (GPC 3, TPC 1, SM 0): Illegal Address",
                31: "Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_4 faulted @ 0x7e11_5c000000. "
                    "Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
                43: "Ch 00000008"}[number]
        for line in range(self.chance.randrange(1, 8)):
            self.say(start + line * 1e-5, xid(gpu, number, rest, process))

    def log(self):
        return "".join(f"[{seconds:12.6f}] {text}\n" for seconds, text in sorted(self.said, key=lambda one: one[0]))


class SimulatedDay(unittest.TestCase):
    def judged(self, log):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "log").write_text(log, encoding="utf-8")
            muster("kernel_log", "--profile", "generic", "--file", "log", "--quiet", folder=folder)
            run = only_report(folder)["checks"][0]
        return run, [each for each in run["verdicts"] if each["status"] in ("warn", "fail", "unknown")]

    def test_nodes_on_which_jobs_abort_and_programs_crash_do_not_fail(self):
        for seed in range(NODES):
            run, bad = self.judged(Day(seed).log())
            self.assertEqual((run["status"], bad), ("pass", []), f"node {seed}")

    def test_each_error_of_the_hardware_is_named_and_nothing_else_is_blamed(self):
        chance = random.Random(1)
        numbers = sorted(HARDWARE) if WHOLE else chance.sample(sorted(HARDWARE), 8)
        for number in numbers:
            day, gpu = Day(1000 + number), chance.choice(GPUS)
            day.say(chance.uniform(1000, DAY - 1000), xid(gpu, number, HARDWARE[number]))
            run, bad = self.judged(day.log())
            self.assertIn(run["status"], ("warn", "fail"), f"XID {number}")
            self.assertEqual({(each["labels"].get("xid"), each["labels"].get("pci")) for each in bad},
                             {(str(number), gpu + ".0")}, f"XID {number}: {bad}")


if __name__ == "__main__":
    unittest.main()
