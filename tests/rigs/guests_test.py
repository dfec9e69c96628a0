# SPDX-License-Identifier: Apache-2.0
"""A job over two machines: healthy it accuses nobody; delay and loss on the wire, each by itself, turn it red."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guests import NETWORK, InGuests, missing  # noqa: E402
from muster import BIN, accused, report  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
SCRIPT = f"""
job() {{ # NAME OPTIONS...: one rank on each guest
  mpirun --allow-run-as-root --bind-to none -np 2 -H {NETWORK}.1,{NETWORK}.2 -mca plm_rsh_agent /job/rsh \\
    -mca mpi_yield_when_idle 1 -mca btl tcp,self -mca btl_tcp_if_include {NETWORK}.0/24 -mca oob_tcp_if_include {NETWORK}.0/24 \\
    '{PROGRAM}' -b 4K -e 256K -f 64 --in-place --report "/job/$1.json" "${{@:2}}" >"/job/$1.txt" 2>&1
  echo $? >"/job/$1.exit"
}}
until dbclient -y -i /job/key root@{NETWORK}.2 true; do sleep 0.5; done
for run in 1 2 3; do job "measured$run" -n 40 --timeout 100; done
cd /job && '{BIN / "muster"}' calibrate measured?.json --name here --pass 0.6 --fail 0.4 --output here.json || exit 1
for run in 1 2 3; do job "healthy$run" --profile ./here.json --timeout 100; done
tc qdisc add dev "$nic" root netem delay 30ms || exit 1
job delayed --profile ./here.json --timeout 200
tc qdisc replace dev "$nic" root netem loss 10% || exit 1
job lossy --profile ./here.json --timeout 400
"""


class TwoGuests(InGuests):
    SCRIPT = SCRIPT
    SECONDS = 1200

    def job(self, name):
        """The exit code of a job, and what it accuses: fault code and hosts of every verdict that is no pass."""
        said = (self.folder / f"{name}.txt").read_text()
        self.assertTrue((self.folder / f"{name}.json").exists(), said)
        document = report(self.folder, f"{name}.json")
        self.assertEqual(sorted(host["name"] for host in document["hosts"]), ["guest1", "guest2"])
        return int((self.folder / f"{name}.exit").read_text()), accused(document), said

    def test_a_healthy_wire_is_not_accused(self):
        for run in range(1, 4):
            code, found, said = self.job(f"healthy{run}")
            self.assertEqual((code, found), (0, set()), said)

    def test_delay_and_loss_name_the_pair(self):
        for name in ("delayed", "lossy"):
            with self.subTest(name):
                code, found, said = self.job(name)
                self.assertEqual(code, 1, said)
                self.assertIn(("host_allreduce_slow_path", "guest1 guest2"), found, said)


if __name__ == "__main__":
    if missing() or not PROGRAM.exists():
        print("skipped: needs Open MPI and", *missing())
        sys.exit(77)
    unittest.main()
