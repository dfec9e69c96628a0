# SPDX-License-Identifier: Apache-2.0
"""The timers of healthcheck/deploy/systemd under a real systemd, in a virtual machine whose clock is set to the nights."""
import json
import os
import sys
import unittest

sys.path[:0] = (os.path.join(os.environ["MUSTER_SOURCE"], "tests", folder) for folder in ("support", "cluster"))
from guest_drives import Drive  # noqa: E402
from guests import InGuests, missing  # noqa: E402
from muster import BIN, SOURCE, report  # noqa: E402
from profiles import open_files  # noqa: E402

SYSTEMD = "/lib/systemd/systemd"
DEPLOY = SOURCE / "healthcheck/deploy"
# systemd has a name space of processes to itself; the files are those of the guest. udev, which would look at its devices, is not needed.
SCRIPT = f"""
mount -t tmpfs memory /tmp
mount -t cgroup2 cgroup /sys/fs/cgroup
ln -sf '{BIN}/muster' /usr/bin/muster
echo guest1 >/etc/hostname
cp '{DEPLOY}'/systemd/* /etc/systemd/system/
mkdir /etc/systemd/system/muster-night.timer.d
printf '[Timer]\\nRandomizedDelaySec=0\\n' >/etc/systemd/system/muster-night.timer.d/soon.conf
ln -s /dev/null /etc/systemd/system/systemd-udevd.service
printf '[Unit]\\nRequires=sysinit.target\\nWants=muster-night.timer muster-collect.timer\\n' >/etc/systemd/system/nights.target
systemd-analyze verify --man=no '{DEPLOY}'/systemd/* >/job/verified 2>&1
echo $? >>/job/verified

mkdir -p /job/reports /etc/muster /etc/systemd/system/muster-night.service.d
printf '[Service]\\nEnvironment="MUSTER_NIGHT_OPTIONS=--only limits --profile /job/good.json"\\n' >/etc/systemd/system/muster-night.service.d/short.conf
settings() {{
  sed -e 's|^MUSTER_REPORTS=.*|MUSTER_REPORTS="/job/reports"|' -e 's|^MUSTER_NODES=.*|MUSTER_NODES="/job/nodes"|' \\
    '{DEPLOY}/fleet.env' >/etc/muster/fleet.env
}}
systemctl() {{ nsenter --target "$manager" --pid --mount systemctl "$@"; }} # which is answered in that name space alone

# at TIME SERVICE FILE: sets the clock to shortly before, and waits until the timer has started the service and it has ended.
at() {{
  local before now
  before=$(systemctl show --property InvocationID "$2.service")
  date -s "$1 5 seconds ago"
  for _ in {{1..300}}; do
    now=$(systemctl show --property InvocationID "$2.service")
    if [[ $now != "$before" ]] && ! systemctl is-active --quiet "$2.service" && [[ $(systemctl is-active "$2.service") != activating ]]; then break; fi
    sleep 0.5
  done
  systemctl show --property ExecMainStatus --value "$2.service" >"/job/$3"
}}
# night DAY OPTIONS: of muster node
night() {{
  sed -i "s|^MUSTER_NIGHT_OPTIONS=.*|MUSTER_NIGHT_OPTIONS=\\"$2\\"|" /etc/muster/fleet.env
  at "2026-11-$1 03:00:00" muster-night "node$1.exit"
  cp /job/reports/guest1.json "/job/node$1.json"
  at "2026-11-$1 05:00:00" muster-collect "fleet$1.exit"
  cp /var/lib/muster-fleet/muster-fleet.json "/job/fleet$1.json"
}}

date -s '2026-11-23 12:00:00'
muster node --tier preflight --quiet --even-if-in-use --timeout 120 --report /job/by_hand.json
env container=guest unshare --pid --fork --mount --cgroup --mount-proc {SYSTEMD} --unit=nights.target &
until [[ ${{manager:-}} ]]; do sleep 0.5 && read -r manager <"/proc/$!/task/$!/children"; done
until systemctl is-active --quiet nights.target; do sleep 0.5; done
at "2026-11-24 03:00:00" muster-night alone.exit
cp /var/lib/muster/guest1.json /job/alone.json
settings
echo guest1 >/job/nodes
night 25 '--tier preflight --even-if-in-use --timeout 120'
night 26 '--only limits --profile /job/good.json'
echo guest2 >>/job/nodes
night 27 '--only limits --profile /job/bad.json'
true
"""


class Nights(InGuests):
    SCRIPT = SCRIPT
    SECONDS = 900
    ALONE = True
    FILES = {"good.json": open_files(1), "bad.json": open_files(1e12)}
    DRIVES = (Drive(),)
    MEBIBYTES = 2048  # `limits` locks 1 GiB where it may

    maxDiff = None

    def exit_code(self, name):
        return int((self.folder / f"{name}.exit").read_text())

    def fleet(self, day):
        return json.loads((self.folder / f"fleet{day}.json").read_text())

    def test_systemd_finds_nothing_wrong(self):
        self.assertEqual((self.folder / "verified").read_text(), "0\n")

    def test_the_unit_keeps_nothing_from_being_measured(self):
        by_hand, by_night = ({run["check"]: (run["outcome"], run["reason"], {fact["metric"] for fact in run["measurements"]})
                              for run in report(self.folder, name)["checks"]} for name in ("by_hand.json", "node25.json"))
        self.assertEqual(by_night, by_hand)
        self.assertGreater(sum(outcome == "finished" for outcome, *_ in by_hand.values()), 5)

    def test_a_node_of_no_fleet_keeps_its_report(self):
        self.assertEqual((self.exit_code("alone"), report(self.folder, "alone.json")["status"]), (0, "pass"))

    def test_a_fit_node_passes_and_so_does_its_fleet(self):
        document = report(self.folder, "node26.json")
        self.assertEqual((self.exit_code("node26"), document["status"]), (0, "pass"))
        self.assertRegex(document["started"], "^2026-11-26T03:00:")
        self.assertEqual((self.exit_code("fleet26"), self.fleet(26)["status"]), (0, "pass"))
        self.assertRegex(self.fleet(26)["summary"], "^of 1 node: 1 passed")

    def test_an_unfit_node_and_one_without_a_report_fail_the_fleet(self):
        self.assertEqual((self.exit_code("node27"), report(self.folder, "node27.json")["status"]), (1, "fail"))
        fleet = self.fleet(27)
        self.assertEqual((self.exit_code("fleet27"), fleet["status"]), (1, "fail"))
        self.assertEqual({node["name"]: (node["status"], node["coverage"], node["before"]) for node in fleet["nodes"]},
                         {"guest1": ("fail", "tested", "pass"), "guest2": ("fail", "missing", "")})


if __name__ == "__main__":
    if missing() or not os.path.exists(SYSTEMD):
        print("skipped: needs systemd and", *missing())
        sys.exit(77)
    unittest.main()
