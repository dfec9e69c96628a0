# SPDX-License-Identifier: Apache-2.0
"""RDMA between two machines by the kernel's own stack: a healthy wire is not accused; what slows or cuts it is named."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guests import missing  # noqa: E402
from muster import BIN  # noqa: E402
from rdma_jobs import RdmaJobs  # noqa: E402

PROGRAM = BIN / "muster-ib-bandwidth"
SCRIPT = f"""
{RdmaJobs.JOB}
bandwidth() {{ local program=('{PROGRAM}' -s 4K -t 64 --timeout 400); job "$@"; }}
latency() {{ local program=('{BIN / "muster-ib-latency"}' -n 40 --timeout 200); job "$@"; }}
again() {{
  case $1 in
    latency*) latency "${{1%.json}}" --operation write ;;
    *) bandwidth "${{1%.json}}" --operation write -n 100 ;;
  esac
}}
measured=({{latency,bandwidth}}{{1,2,3}}.json)
for report in "${{measured[@]}}"; do again "$report"; done
calibrate here.json "${{measured[@]}}"
for run in 1 2; do bandwidth "healthy$run" --profile ./here.json; done
bandwidth both --bidirectional -q 2 --operation write
latency healthy_latency --profile ./here.json
there tc qdisc add dev wire root tbf rate 10mbit burst 16kb latency 100ms || exit 1
bandwidth limited --profile ./here.json --operation write
there tc qdisc replace dev wire root netem delay 150ms || exit 1  # half of it is three times a healthy latency
# An answer takes longer than the usual 67 ms until it is sent again: give it 1.07 s.
bandwidth delayed --qp-timeout 18 --profile ./here.json --operation write
latency delayed_latency --qp-timeout 18 --profile ./here.json --operation write
there tc qdisc replace dev wire root netem loss 10% || exit 1
bandwidth lossy --profile ./here.json --operation write
there tc qdisc del dev wire root
there ip link set wire mtu 1000 || exit 1
bandwidth small_packets --operation write
there ip link set wire mtu 1500 || exit 1
meanwhile ip link set wire down
bandwidth cut --tier full
there ip link set wire up || exit 1
"""


class TwoHosts(RdmaJobs):
    SCRIPT = SCRIPT

    def test_a_healthy_wire_is_measured_both_ways_and_not_accused(self):
        for name, metric in (("healthy1", "ib_bandwidth.bandwidth"), ("healthy2", "ib_bandwidth.bandwidth"),
                             ("healthy_latency", "ib_latency.latency")):
            with self.subTest(name):
                self.assert_healthy_over_the_wire(name, metric)

    def test_both_directions_at_once_are_measured(self):
        code, found, said = self.ended("both")
        self.assertEqual((code, found), (0, set()), said)
        facts = self.facts("both", "ib_bandwidth.bandwidth")
        self.assertEqual(sorted(fact["labels"]["host"] for fact in facts), ["guest1", "guest2"])
        self.assertEqual({fact["labels"]["direction"] for fact in facts}, {"both"})

    def test_a_limit_on_what_one_host_sends_names_it(self):
        code, found, said = self.ended("limited")
        self.assertEqual((code, found), (1, {("slower_than_calibrated", "guest2", "rxe0")}), said)

    def test_delay_slows_both_directions(self):
        for name in ("delayed", "delayed_latency"):
            code, found, said = self.ended(name)
            self.assertEqual((code, found), (1, {("slower_than_calibrated", f"guest{guest}", "rxe0") for guest in (1, 2)}), said)

    def test_loss_slows_or_breaks_the_path(self):
        code, found, said = self.ended("lossy")
        self.assertEqual(code, 1, said)
        self.assertTrue({fault for fault, _, _ in found} <= {"slower_than_calibrated", "rdma_path_broken"}, said)
        self.assertEqual({nic for _, _, nic in found}, {"rxe0"}, said)
        ends = {"guest1", "guest2"}
        self.assertTrue(all(host in ({"guest1 guest2"} if fault == "rdma_path_broken" else ends) for fault, host, _ in found), said)
        self.assertTrue(any("guest2" in host for _, host, _ in found), said)

    def test_packets_of_another_size_are_named(self):
        code, found, said = self.ended("small_packets")
        self.assertEqual((code, {fault for fault, _, _ in found}), (0, {"ib_mtu_differs"}), said)
        self.assertEqual({fact["value"] for fact in self.facts("small_packets", "ib_bandwidth.mtu_differs")},
                         {"1024 bytes at guest1 rxe0, 512 at guest2 rxe0"}, said)

    def test_a_link_that_goes_down_meanwhile_names_its_host(self):
        code, found, said = self.ended("cut")
        self.assertEqual(code, 1, said)
        self.assertEqual({(host, nic) for fault, host, nic in found if fault == "ib_port_down"}, {("guest2", "rxe0")}, said)
        self.assertRegex(self.facts("cut", "ib_bandwidth.port_lost")[0]["value"], "^not active any more")


if __name__ == "__main__":
    if missing() or not PROGRAM.exists():
        print("skipped: needs libibverbs and", *missing())
        sys.exit(77)
    unittest.main()
