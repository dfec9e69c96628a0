# SPDX-License-Identifier: Apache-2.0
"""`muster launch` over hosts whose daemons start one after the other: the one that stays away is asked, however many come late."""
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/support"))
sys.path.insert(0, os.path.join(os.environ["MUSTER_SOURCE"], "tests/rigs"))
from hosts import NETWORK, possible  # noqa: E402
from launches import PROGRAM, Launches  # noqa: E402

# Of each host, which is in a word before that of its daemon.
SSH_THAT_IS_LATE = f"""#!/bin/sh
for word; do
  case $word in
    {NETWORK}.*) tenths=$((2 * ${{word##*.}})) ;;
    *orted* | *prted*) sleep $((tenths / 10)).$((tenths % 10)) ;;
  esac
done
exec {shutil.which("ssh")} "$@"
"""


class LateHosts(Launches):
    COUNT = 20  # more than are asked at once

    def test_a_host_that_stays_away_is_named_among_many_that_come_late(self):
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "ssh").write_text(SSH_THAT_IS_LATE)
        (programs / "ssh").chmod(0o755)
        late = {"PATH": f"{programs}:{os.environ['PATH']}"}
        cut = self.hosts.names[-1:]
        with self.firewall_towards(f"{NETWORK}.254", cut):
            run = self.launch("--deadline", 30, interface=None, environment=late)
        self.expect_no_way_back(run, cut)
        run = self.launch("--deadline", 30, interface=None, environment=late)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


if __name__ == "__main__":
    if not (PROGRAM.exists() and possible()):
        print("skipped: needs Open MPI, and the right to make network namespaces")
        sys.exit(77)
    unittest.main()
