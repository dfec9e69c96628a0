# SPDX-License-Identifier: Apache-2.0
"""A job over two machines: healthy it accuses nobody; delay and loss on the wire, each by itself, turn it red."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
from guests import JobsInGuests, missing  # noqa: E402
from muster import BIN, accused  # noqa: E402

PROGRAM = BIN / "muster-host-allreduce"
SCRIPT = f"""
program=('{PROGRAM}' -b 4K -e 256K -f 64 --in-place)
{JobsInGuests.JOB}
again() {{ job "${{1%.json}}" -n 40 --timeout 100; }}
for run in 1 2 3; do again "measured$run.json"; done
calibrate here.json measured?.json
for run in 1 2 3; do job "healthy$run" --profile ./here.json --timeout 100; done
# What a message of 4 KiB takes at the fail threshold, twice over: emulated machines are slow at one hour and slower at another.
threshold=$(sed -n '/"size": "4 KiB"/,/"fail"/ s/.*"fail": \\([0-9]*\\).*/\\1/p' here.json)
tc qdisc add dev "$nic" root netem delay $((2 * 4096 * 1000 / threshold))ms || exit 1
job delayed --profile ./here.json --timeout 200
tc qdisc replace dev "$nic" root netem loss 10% || exit 1
job lossy --profile ./here.json --timeout 400
"""


class TwoGuests(JobsInGuests):
    SCRIPT = SCRIPT

    def test_a_healthy_wire_is_not_accused(self):
        for run in range(1, 4):
            code, document, said = self.job(f"healthy{run}")
            self.assertEqual((code, accused(document)), (0, set()), said)

    def test_delay_and_loss_name_the_pair(self):
        for name in ("delayed", "lossy"):
            with self.subTest(name):
                code, document, said = self.job(name)
                self.assertEqual(code, 1, said)
                self.assertIn(("host_allreduce_slow_path", "guest1 guest2"), accused(document, "host"), said)


if __name__ == "__main__":
    if missing() or not PROGRAM.exists():
        print("skipped: needs Open MPI and", *missing())
        sys.exit(77)
    unittest.main()
