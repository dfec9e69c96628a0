#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scontrol of Slurm 22.05.8 (Debian: slurm-client 22.05.8-4+deb12u3) writes out a list with three ranges in an order of its own.
#
# Of a name with several ranges, as machines of racks, boxes and slots have, one expects the order of an odometer: the last
# range runs fastest, then the one before it, and the first one slowest. So it is with two ranges. With three or more the last
# range still runs fastest, but then comes the first one, and the middle ones run slowest. Rank 0 of a job, and which hosts are
# neighbours in its ring, differ by it from what a reader of the list expects.
#
# Seen:
#   r[1-2]s[1-2]:        r1s1 r1s2 r2s1 r2s2
#   r[1-2]b[1-2]s[1-2]:  r1b1s1 r1b1s2 r2b1s1 r2b1s2 r1b2s1 r1b2s2 r2b2s1 r2b2s2
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
(
  cd "$folder"
  apt-get download -qq slurm-client=22.05.8-4+deb12u3 slurm-wlm-basic-plugins=22.05.8-4+deb12u3 >/dev/null 2>&1
  for package in ./*.deb; do dpkg -x "$package" .; done
)
mkdir -p "$folder/conf"
printf '%s\n' ClusterName=some SlurmctldHost=some NodeName=n1 "PluginDir=$folder/usr/lib/x86_64-linux-gnu/slurm-wlm" >"$folder/conf/slurm.conf"

# written LIST: its names in one line.
written() {
  SLURM_CONF=$folder/conf/slurm.conf LD_LIBRARY_PATH=$folder/usr/lib/x86_64-linux-gnu/slurm-wlm \
    "$folder/usr/bin/scontrol" show hostnames "$1" | tr '\n' ' ' | sed 's/ $//'
}

two=$(written 'r[1-2]s[1-2]')
three=$(written 'r[1-2]b[1-2]s[1-2]')
echo "r[1-2]s[1-2]:        $two"
echo "r[1-2]b[1-2]s[1-2]:  $three"
if [[ $two != "r1s1 r1s2 r2s1 r2s2" || $three != "r1b1s1 r1b1s2 r2b1s1 r2b1s2 r1b2s1 r1b2s2 r2b2s1 r2b2s2" ]]; then
  echo "This has changed." >&2
  exit 1
fi
