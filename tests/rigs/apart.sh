#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# apart.sh "PACKAGES" COMMAND...: runs it in name spaces of its own, without a network, where these packages are installed and none of
# their services is started. What it writes to /dev, /etc, /run, /usr and /var is in memory, and gone with it. Packages are kept in
# MUSTER_CACHE, by default ~/.cache/muster or what XDG_CACHE_HOME says.
set -euo pipefail

skip() {
  echo "$(basename "$0"): skipped, $*" >&2
  exit 77
}

if [[ $1 != --inside ]]; then
  ((EUID == 0)) || skip "it needs root"
  command -v apt-get >/dev/null || skip "it needs apt-get"
  exec unshare --mount --propagation private --pid --fork --kill-child --mount-proc --uts --ipc "$0" --inside "$@"
fi

archives=${MUSTER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/muster}/archives
mkdir -p "$archives/partial"
read -ra packages <<<"$2"
mount -t tmpfs memory /mnt
cp /etc/resolv.conf /etc/hosts /mnt # which a container has mounted there
for folder in dev etc usr var; do
  mkdir -p "/mnt/$folder/"{upper,work}
  mount -t overlay -o "lowerdir=/$folder,upperdir=/mnt/$folder/upper,workdir=/mnt/$folder/work" overlay "/$folder"
done
mount -t tmpfs -o mode=1777 memory /dev/shm
mount -t tmpfs memory /run
mkdir -m 1777 /run/lock
cp --remove-destination /mnt/resolv.conf /mnt/hosts /etc

if ! dpkg-query --show "${packages[@]}" >/dev/null 2>&1; then
  [[ ${MUSTER_NO_INSTALL:-} != 1 ]] || skip "MUSTER_NO_INSTALL=1 forbids installing ${packages[*]}"
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d # which starts no service
  chmod +x /usr/sbin/policy-rc.d
  install=(apt-get -y -o "Dir::Cache::archives=$archives" install --no-install-recommends "${packages[@]}")
  export DEBIAN_FRONTEND=noninteractive
  "${install[@]}" >/var/log/apart.log 2>&1 || { apt-get update && "${install[@]}"; } >/var/log/apart.log 2>&1 || {
    cat /var/log/apart.log >&2
    exit 1
  }
fi
exec unshare --net "${@:3}"
