# SPDX-License-Identifier: Apache-2.0
"""The checks of RDMA on the kernel's own stack: a Soft-RoCE device of a virtual machine whose link is taken down."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guests import CALIBRATE, InGuests, missing  # noqa: E402
from muster import BIN, report  # noqa: E402

BANDWIDTH = BIN / "muster-ib-bandwidth"
LATENCY = BIN / "muster-ib-latency"
PROFILE = {"name": "here", "description": "One Soft-RoCE device", "extends": "generic", "expectations": [
    {"check": "ib_link", "metric": metric, "bound": "equals", "value": value, "tier": "preflight", "fault": "ib_port_down",
     "source": "this test", "date": "2026-11-21"}
    for metric, value in (("ib_link.state", "ACTIVE"), ("ib_link.phys_state", "LinkUp"))]}
# Two ports of one machine, whose kernel would rather not use the wire between its own addresses.
PORTS = """
echo 100000 >/proc/sys/net/core/netdev_max_backlog  # Soft-RoCE may break where packets are lost
ip link add wire1 type veth peer name wire2
ip rule add pref 100 lookup local
for end in 1 2; do
  echo 1 >/proc/sys/net/ipv4/conf/wire$end/accept_local
  ip addr add 10.9.7.$end/32 dev wire$end
  ip link set wire$end up
  ip rule add pref 10 iif wire$end lookup local
done
ip rule del pref 0
for end in 1 2; do
  other=$((3 - end))
  ip route add 10.9.7.$other dev wire$end table 10$end
  ip rule add pref 20 from 10.9.7.$end to 10.9.7.$other lookup 10$end
  ip neigh add 10.9.7.$other lladdr "$(<"/sys/class/net/wire$other/address")" dev wire$end
  rdma link add port$end type rxe netdev wire$end || exit 1
done
"""
SCRIPT = f"""
rdma link add rxe0 type rxe netdev "$nic" || exit 1
cd /job && mkdir state || exit 1
look() {{ # NAME OPTIONS...
  '{BIN / "muster-ib-link"}' --profile ./here.json --report "$1.json" "${{@:2}}"
  echo $? >"$1.exit"
}}
measure() {{ # NAME COMMAND...: with a report that anybody may write
  (cd /tmp && "${{@:2}}" --report "$1.json")
  echo $? >"$1.exit"
  cp "/tmp/$1.json" .
}}
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
look first --state state
measure latency '{LATENCY}'
measure bandwidth '{BANDWIDTH}'
measure queue_pairs '{BANDWIDTH}' -q 4 --operation send
measure gpu '{BANDWIDTH}' --memory gpu
measure unlocked "${{nobody[@]}}" prlimit --memlock=65536 '{BANDWIDTH}'
chmod 600 /dev/infiniband/uverbs0
measure forbidden "${{nobody[@]}}" '{BANDWIDTH}'
ip link set "$nic" down
look down
ip link set "$nic" up
look flapped --state state
(sleep 2; ip link set "$nic" down; ip link set "$nic" up) &
look meanwhile --window 6
'{BIN / "muster"}' node --only ib_link,ib_bandwidth,ib_latency --profile ./here.json --report node.json
echo $? >node.exit
{PORTS}
between() {{ measure "$@" --between-ports --nic port1,port2; }}
small=('{BANDWIDTH}' -s 4K -t 64)
patient=(--qp-timeout 18)  # an emulated machine stands still at times, and Soft-RoCE may break where it sends again
between ports_latency '{LATENCY}' "${{patient[@]}}"
between ports "${{small[@]}}" "${{patient[@]}}"
between ports_both "${{small[@]}}" "${{patient[@]}}" --bidirectional --operation write
{CALIBRATE}
again() {{ between "${{1%.json}}" "${{small[@]}}" "${{patient[@]}}" --operation write -n 100; }}
again ports_measured.json
calibrate ports_profile.json ports_measured.json
cp ports_profile.json /tmp
tc qdisc add dev wire2 root tbf rate 10mbit burst 16kb latency 100ms || exit 1
between ports_limited "${{small[@]}}" --operation write --timeout 120 --profile ./ports_profile.json
"""


class SoftRoce(InGuests):
    SCRIPT = SCRIPT
    SECONDS = 1200
    ALONE = True
    FILES = {"here.json": json.dumps(PROFILE)}

    def look(self, name):
        """The exit code of one run, and what it accuses: status, fault code and device."""
        self.assertTrue((self.folder / f"{name}.json").exists(), self.said)
        found = {(verdict["status"], verdict["fault"], verdict["labels"].get("nic"))
                 for check in report(self.folder, f"{name}.json")["checks"] for verdict in check["verdicts"]
                 if verdict["status"] in ("fail", "warn", "unknown")}
        return int((self.folder / f"{name}.exit").read_text()), found

    def facts(self, name, metric):
        return [fact for check in report(self.folder, f"{name}.json")["checks"] for fact in check["measurements"]
                if fact["metric"] == metric]

    def test_a_healthy_device_is_not_accused_alone_or_by_node(self):
        for name in ("first", "node"):
            self.assertEqual(self.look(name), (0, set()), self.said)
        for metric in ("ib_bandwidth.bandwidth", "ib_latency.latency"):
            self.assertEqual({fact["labels"]["nic"] for fact in self.facts("node", metric)}, {"rxe0"})

    def test_every_operation_is_measured_and_known_for_loop_back(self):
        for name in ("bandwidth", "latency"):
            with self.subTest(name):
                self.assertEqual(self.look(name), (0, set()), self.said)
                labels = [fact["labels"] for fact in self.facts(name, f"ib_{name}.{name}")]
                self.assertEqual([each["operation"] for each in labels], ["write", "read", "send"])
                self.assertEqual({(each["nic"], each["path"]) for each in labels}, {("rxe0", "loop-back")})
                wrong = [fact["value"]["value"] for fact in self.facts(name, f"ib_{name}.wrong_bytes")]
                self.assertEqual(wrong, [0, 0, 0])

    def test_ports_of_one_machine_are_measured_over_their_wire(self):
        both_ways = [("port1", "port2"), ("port2", "port1")]
        for name, metric, operations in (("ports", "ib_bandwidth.bandwidth", ("read", "send", "write")),
                                         ("ports_latency", "ib_latency.latency", ("read", "send", "write")),
                                         ("ports_both", "ib_bandwidth.bandwidth", ("write",))):
            with self.subTest(name):
                self.assertEqual(self.look(name), (0, set()), self.said)
                labels = [fact["labels"] for fact in self.facts(name, metric)]
                self.assertEqual(sorted((each["nic"], each["partner_nic"], each["operation"]) for each in labels),
                                 [(*way, operation) for way in both_ways for operation in operations])
                self.assertEqual({each["path"] for each in labels}, {"wire"})

    def test_a_limit_on_what_one_port_sends_names_it(self):
        self.assertEqual(self.look("ports_limited"), (1, {("fail", "slower_than_calibrated", "port2")}), self.said)

    def test_several_queue_pairs_carry_the_messages(self):
        self.assertEqual(self.look("queue_pairs"), (0, set()), self.said)
        labels = [fact["labels"] for fact in self.facts("queue_pairs", "ib_bandwidth.bandwidth")]
        self.assertEqual([each["queue_pairs"] for each in labels], ["4"])

    def test_memory_of_a_gpu_is_unknown_where_there_is_none(self):
        self.assertEqual(self.look("gpu"), (3, {("unknown", "gpudirect_refused", "rxe0")}), self.said)
        self.assertEqual(self.facts("gpu", "ib_bandwidth.bandwidth"), [])

    def test_what_keeps_a_process_from_rdma_is_said(self):
        for name, reasons in (("unlocked", ("of locked memory the limit of this process is 65.5 kB: raise it", "in a pod the capability IPC_LOCK helps only")),
                              ("forbidden", ("Permission denied",))):
            with self.subTest(name):
                self.assertEqual(self.look(name), (3, {("unknown", "rdma_refused", "rxe0")}), self.said)
                for reason in reasons:
                    self.assertIn(reason, self.facts(name, "ib_bandwidth.refused")[0]["value"])

    def test_a_link_that_is_down_is_named(self):
        code, found = self.look("down")
        self.assertEqual(code, 1, self.said)
        self.assertIn(("fail", "ib_port_down", "rxe0"), found)

    def test_a_link_that_was_down_since_the_last_run_is_named(self):
        code, found = self.look("flapped")
        self.assertEqual((code, found), (0, {("warn", "ib_link_flapping", "rxe0")}), self.said)

    def test_a_link_that_goes_down_meanwhile_is_named(self):
        code, found = self.look("meanwhile")
        self.assertEqual(code, 1, self.said)
        self.assertIn(("fail", "ib_link_flapping", "rxe0"), found)


if __name__ == "__main__":
    if missing() or not BANDWIDTH.exists():
        print("skipped: needs libibverbs and", *missing())
        sys.exit(77)
    unittest.main()
