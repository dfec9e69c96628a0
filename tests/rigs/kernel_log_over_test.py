# SPDX-License-Identifier: Apache-2.0
"""Faults that can be over: each begins, ends and begins again. One that its maker calls over is none; one that went away
by itself is a warning for a day of the log, then none."""
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from muster import muster, only_report  # noqa: E402

DAY = 86400
GPU = "NVRM: Xid (PCI:@): "
ACTION = GPU + "154, GPU recovery action changed from "
LINK = "mlx5_core 0000:5e:00.0 @: Port: 1 Link "
NETVSC = "hv_netvsc 000d3a5b-0001-000d-3a5b-0001000d3a5b eth0: "
VF = "mlx5_core @"

# The component (@) and another one; what was before, how it begins, how it ends, whether the end is documented, how bad
# it is, and what it is called.
FAULTS = {
    "a GPU is to be reset": (
        ("0000:3a:00", "0000:9a:00"), [], [ACTION + "0x0 (None) to 0x1 (GPU Reset Required)"], [ACTION + "0x1 (GPU Reset Required) to 0x0 (None)"],
        True, "fail", "gpu_recovery_needed"),
    "an error that the reset repaired": (
        ("0000:3a:00", "0000:9a:00"), [], [GPU + "119, pid=7, name=x, Timeout after 6s of waiting for RPC response from GPU1 GSP!"],
        [ACTION + "0x1 (GPU Reset Required) to 0x0 (None)"], True, "fail", "gpu_firmware_hung"),
    "rows that are remapped by the reset": (
        ("0000:3a:00", "0000:9a:00"), [], [GPU + "63, pid=7, name=x, Row Remapper: New row (0x1) marked for remapping, reset gpu to activate."],
        [ACTION + "0x1 (GPU Reset Required) to 0x0 (None)"], True, "fail", "gpu_row_remap_pending"),
    "power smoothing": (
        ("0000:3a:00", "0000:9a:00"), [], [GPU + "163, Power Smoothing HW Circuitry capability disengaged"],
        [GPU + "162, Power Smoothing HW Circuitry capability re-engaged"], True, "warn", "gpu_power_smoothing_lost"),
    "a slow clock": (
        ("", ""), [], ["clocksource: Switched to clocksource hpet"], ["clocksource: Switched to clocksource tsc"], True, "fail",
        "clock_source_slow"),
    "an array that lost a drive": (
        ("md7", "md8"), [], ["md/raid1:@: Disk failure on sdc1, disabling device."], ["md: @: recovery done."], True, "fail",
        "raid_degraded"),
    "a link of InfiniBand": (
        ("mlx5_4", "mlx5_5"), [LINK + "ACTIVE"], [LINK + "DOWN"], [LINK + "INIT", LINK + "ACTIVE"], False, "fail", "ib_link_flapping"),
    "a link of Ethernet": (
        ("9a31:00:02.0 eth2", "9a32:00:02.0 eth3"), [VF + ": Link up"], [VF + ": Link down"], [VF + ": Link up"], False, "warn",
        "ethernet_link_flapping"),
    "the host services an adapter": (
        ("9a31:00:02.0", "9a32:00:02.0"), [VF + " eth2: Link up"],
        [NETVSC + "VF slot 1 removed", VF + ": poll_health:785:(pid 0): Fatal error 1 detected"],
        [NETVSC + "VF slot 1 added", VF + ": enabling device (0000 -> 0002)", VF + " eth2: Link up",
         NETVSC + "Data path switched to VF: eth2"], False, "fail", "nic_firmware_hung"),
    "a cable": (
        ("0000:5e:00.0", "0000:5f:00.0"), [], ["mlx5_core @: Port module event: module 0, Cable unplugged"],
        ["mlx5_core @: Port module event: module 0, Cable plugged"], False, "warn", "nic_cable_unplugged"),
    "a device that was taken out": (
        ("0000:40:01.1", "0000:41:01.1"), [], ["pcieport @: pciehp: Slot(3): Link Down"], ["pcieport @: pciehp: Slot(3): Card present"],
        False, "fail", "pcie_link_down"),
    "a file server": (
        ("filer-3", "filer-4"), [], ["nfs: server @ not responding, still trying"], ["nfs: server @ OK"], False, "warn",
        "remote_filesystem_hung"),
    "a drive over a network": (
        ("nvme9", "nvme8"), [], ["nvme @: failed to connect socket: -110"], ["nvme @: Successfully reconnected (2 attempt)"], False,
        "fail", "nvme_not_live"),
    "a hot CPU": (
        ("CPU11", "CPU12"), [], ["@: Package temperature above threshold, cpu clock throttled (total events = 7)"],
        ["@: Package temperature/speed normal"], False, "warn", "cpu_throttled"),
}


class Over(unittest.TestCase):
    def setUp(self):
        self.said = [(0.0, "Linux version 6.8.0-1015-azure")]

    def say(self, seconds, component, *texts):
        self.said += [(seconds + 0.1 * number, text.replace("@", component)) for number, text in enumerate(texts)]

    def say_nothing_much(self, seconds):
        self.say(seconds, "", "usb 1-1: new high-speed USB device number 2 using xhci_hcd")

    def expect(self, status, code, why):
        with tempfile.TemporaryDirectory() as folder:
            log = "".join(f"[{seconds:12.6f}] {text}\n" for seconds, text in self.said)
            pathlib.Path(folder, "log").write_text(log, encoding="utf-8")
            muster("kernel_log", "--profile", "generic", "--file", "log", "--quiet", folder=folder)
            run = only_report(folder)["checks"][0]
        bad = {(each["status"], each["fault"]) for each in run["verdicts"] if each["status"] not in ("pass", "skip")}
        self.assertEqual(bad, {(status, code)} if code else set(), why)

    def test_each_begins_ends_and_begins_again(self):
        for name, ((one, _), before, begin, end, is_documented, status, code) in FAULTS.items():
            with self.subTest(name):
                self.setUp()
                self.say(10, one, *before)
                self.expect("pass", "", "before it")
                self.say(1000, one, *begin)
                self.expect(status, code, "it began")
                self.say(2000, one, *end)
                self.expect("warn", "" if is_documented else code, "it ended")
                self.say_nothing_much(2000 + DAY + 60)
                self.expect("pass", "", "it ended a day ago")
                self.say(2000 + DAY + 120, one, *begin)
                self.expect(status, code, "it began again")

    def test_one_that_does_not_end_stays(self):
        for name, ((one, _), before, begin, _, _, status, code) in FAULTS.items():
            with self.subTest(name):
                self.setUp()
                self.say(10, one, *before)
                self.say(1000, one, *begin)
                self.say_nothing_much(1000 + 9 * DAY)
                self.expect(status, code, "nine days later")

    def test_the_end_of_another_component_ends_nothing(self):
        for name, ((one, other), before, begin, end, _, status, code) in FAULTS.items():
            if one == other:  # there is one in a machine
                continue
            with self.subTest(name):
                self.setUp()
                self.say(10, one, *before)
                self.say(1000, one, *begin)
                self.say(2000, other, *end)
                self.expect(status, code, "another one ended")


if __name__ == "__main__":
    unittest.main()
