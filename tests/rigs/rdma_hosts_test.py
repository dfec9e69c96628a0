# SPDX-License-Identifier: Apache-2.0
"""RDMA between two machines by the kernel's own stack: a healthy wire is not accused; what slows or cuts it is named."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guests import NETWORK, InGuests, missing  # noqa: E402
from muster import BIN, report  # noqa: E402

PROGRAM = BIN / "muster-ib-bandwidth"
SCRIPT = f"""
job() {{ # NAME OPTIONS...: one process on each guest
  mpirun --allow-run-as-root --bind-to none -np 2 -H {NETWORK}.1,{NETWORK}.2 -mca plm_rsh_agent /job/rsh \\
    -mca mpi_yield_when_idle 1 -mca btl tcp,self -mca btl_tcp_if_include {NETWORK}.0/24 -mca oob_tcp_if_include {NETWORK}.0/24 \\
    '{PROGRAM}' -s 4K -t 64 --timeout 200 --report "/job/$1.json" "${{@:2}}" >"/job/$1.txt" 2>&1
  echo $? >"/job/$1.exit"
}}
there() {{ dbclient -y -i /job/key root@{NETWORK}.2 "PATH=/usr/sbin:/usr/bin:/sbin:/bin; $*"; }}
until there true; do sleep 0.5; done
rdma link add rxe0 type rxe netdev wire && there rdma link add rxe0 type rxe netdev wire || exit 1
for run in 1 2 3; do job "measured$run" --operation write; done
cd /job && '{BIN / "muster"}' calibrate measured?.json --name here --pass 0.6 --fail 0.4 --output here.json || exit 1
for run in 1 2; do job "healthy$run" --profile ./here.json; done
there tc qdisc add dev wire root tbf rate 10mbit burst 16kb latency 100ms || exit 1
job limited --profile ./here.json --operation write
there tc qdisc replace dev wire root netem delay 100ms || exit 1
job delayed --profile ./here.json --operation write
there tc qdisc replace dev wire root netem loss 10% || exit 1
job lossy --profile ./here.json --operation write
there tc qdisc del dev wire root
(sleep 8; there ip link set wire down) &
job cut --tier full
"""


class TwoHosts(InGuests):
    SCRIPT = SCRIPT
    SECONDS = 1200

    def job(self, name):
        """The exit code of a job, and what it accuses: fault code, host and device of every verdict that is no pass."""
        said = (self.folder / f"{name}.txt").read_text()
        self.assertTrue((self.folder / f"{name}.json").exists(), said)
        document = report(self.folder, f"{name}.json")
        self.assertEqual(sorted(host["name"] for host in document["hosts"]), ["guest1", "guest2"])
        self.run = document["checks"][0]
        accused = {(verdict["fault"], verdict["labels"]["host"], verdict["labels"].get("nic"))
                   for verdict in self.run["verdicts"] if verdict["status"] in ("fail", "warn", "unknown")}
        return int((self.folder / f"{name}.exit").read_text()), accused, said

    def test_a_healthy_wire_is_measured_both_ways_and_not_accused(self):
        for run in range(1, 3):
            code, found, said = self.job(f"healthy{run}")
            self.assertEqual((code, found), (0, set()), said)
            rates = [fact["labels"] for fact in self.run["measurements"] if fact["metric"] == "ib_bandwidth.bandwidth"]
            self.assertEqual(sorted((labels["host"], labels["partner"], labels["operation"]) for labels in rates),
                             [(host, partner, operation) for host, partner in (("guest1", "guest2"), ("guest2", "guest1"))
                              for operation in ("read", "send", "write")])
            self.assertEqual({(labels["nic"], labels["path"]) for labels in rates}, {("rxe0", "wire")})

    def test_a_limit_on_what_one_host_sends_names_it(self):
        code, found, said = self.job("limited")
        self.assertEqual((code, found), (1, {("slower_than_calibrated", "guest2", "rxe0")}), said)

    def test_delay_slows_both_directions(self):
        code, found, said = self.job("delayed")
        self.assertEqual((code, found), (1, {("slower_than_calibrated", f"guest{guest}", "rxe0") for guest in (1, 2)}), said)

    def test_loss_slows_or_breaks_the_path(self):
        code, found, said = self.job("lossy")
        self.assertEqual(code, 1, said)
        self.assertTrue({fault for fault, _, _ in found} <= {"slower_than_calibrated", "rdma_path_broken"}, said)
        self.assertEqual({nic for _, _, nic in found}, {"rxe0"}, said)

    def test_a_link_that_goes_down_meanwhile_names_its_host(self):
        code, found, said = self.job("cut")
        self.assertEqual(code, 1, said)
        self.assertIn(("ib_port_down", "guest2", "rxe0"), found, said)


if __name__ == "__main__":
    if missing() or not PROGRAM.exists():
        print("skipped: needs libibverbs and", *missing())
        sys.exit(77)
    unittest.main()
