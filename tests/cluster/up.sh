#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# up.sh FOLDER [ARCHIVE]...: starts a Kubernetes cluster with Volcano, holding its state in the new FOLDER and the images of
# the archives. It runs in network, mount and process namespaces of its own, so that it meets nothing else of this machine;
# FOLDER/inside COMMAND... runs a command in them, with kubectl and helm in PATH. down.sh FOLDER ends it.
#   NODES=2       two nodes, node1 and node2 (default 1)
#   FAKE_GPUS=8   so many nvidia.com/gpu on each, without a GPU
#   UNTIL_EOF=1   it also ends when stdin does
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=tests/cluster/lib.sh
source "$here/lib.sh"

(($# >= 1)) || die "usage: up.sh FOLDER [ARCHIVE]..."
((EUID == 0)) || die "a cluster needs root"
state=$(readlink -m "$1")
case $state in /run/* | /var/lib/* | /var/log/*) die "$state is in a folder that a cluster has of its own" ;; esac
[[ ! -e $state/group ]] || die "$state has a cluster: down.sh $state ends it"
for archive in "${@:2}"; do [[ -r $archive ]] || die "there is no image in $archive"; done
for tool in containerd runc iptables jq openssl curl nsenter unshare ip busybox; do
  command -v "$tool" >/dev/null || die "there is no $tool here: ./muster test --cluster installs what a cluster needs"
done
built=$("$here/build.sh" control_plane coredns helm)
path=${built//$'\n'//bin:}/bin

mkdir -p "$state/log"
echo "muster-cluster${state//\//-}" >"$state/group"
if [[ ${UNTIL_EOF:-} == 1 ]]; then
  exec {hold}<&0
else
  mkfifo "$state/hold"
  exec {hold}<>"$state/hold" # whoever opens one so is its writer too: it never ends
fi
PATH=$path:$PATH NODES=${NODES:-1} FAKE_GPUS=${FAKE_GPUS:-0} KINDS=${built%%$'\n'*}/kinds \
  setsid unshare --mount --net --pid --fork --kill-child --mount-proc \
  bash "$here/machine.sh" "$state" "${@:2}" <&"$hold" >"$state/log/machine.log" 2>&1 &
outer=$!
exec {hold}<&-

# The first process in the new process namespace has another number in there than out here.
until init=$(cat "/proc/$outer/task/$outer/children" 2>/dev/null) && [[ -n $init ]]; do
  kill -0 "$outer" 2>/dev/null || die "no namespaces of its own can be made here: $(cat "$state/log/machine.log")"
  sleep 0.01
done
init=${init%% *} start=$(born "$init")
echo "$init $start" >"$state/init"
trap 'stop "$state"; exit 2' INT TERM

cat >"$state/inside" <<INSIDE
#!/bin/sh
[ "\$(sed 's/.*) //' /proc/$init/stat 2>/dev/null | cut -d' ' -f20)" = "$start" ] || { echo "the cluster of $state has ended" >&2; exit 2; }
exec nsenter --target $init --mount --net --pid -- env --chdir="\$PWD" PATH="$path:\$PATH" KUBECONFIG="$state/admin.conf" \\
  KUBECACHEDIR="$state/kubectl" HELM_CACHE_HOME="$state/helm" HELM_CONFIG_HOME="$state/helm" HELM_DATA_HOME="$state/helm" "\$@"
INSIDE
chmod +x "$state/inside"

until [[ -e $state/ready ]]; do
  running "$state/init" || die "the cluster does not start:"$'\n'"$(tail -n 20 "$state/log/machine.log")"
  sleep 0.05
done
