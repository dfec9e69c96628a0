#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A stranger's first minutes: on a fresh Debian 12 with git and a shell, clone, ./muster node, ./muster test.
# Needs root and debootstrap; keeps the fresh Debian in MUSTER_CACHE, by default ~/.cache/muster.
set -euo pipefail

repository=$(readlink -f "$(dirname "$0")/../..")
cache=${MUSTER_CACHE:-$HOME/.cache/muster}
base=$cache/bookworm

fail() {
  echo "fresh root: $*" >&2
  exit 1
}

# Packages come from where this machine gets its own.
copy_apt_settings() {
  cp /etc/resolv.conf /etc/hosts "$1/etc/"
  grep -qs '^VERSION_CODENAME=bookworm' /etc/os-release || return 0
  rm -r "$1/etc/apt"
  cp -a /etc/apt "$1/etc/apt"
  cp -a /usr/share/keyrings/. "$1/usr/share/keyrings/"
  cp -a /etc/ssl/certs/. "$1/etc/ssl/certs/"
}

# in_root ROOT COMMAND: nothing of this shell's environment goes in but proxies.
in_root() {
  env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 MUSTER_GPU=0 \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    ${no_proxy:+no_proxy="$no_proxy"} chroot "$1" /bin/bash -c "$2" </dev/null
}

# In name spaces of its own, so that mounts and processes end with it however it ends.
try_inside() {
  local root=$1 code=0 status expected
  mount --bind "$root" "$root" # / of every machine and container is a mount
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount --bind "$repository" "$root/mnt"
  for command in g++ cmake ninja; do
    in_root "$root" "! command -v $command" || fail "the fresh root is not fresh: it has $command"
  done
  in_root "$root" "git -c safe.directory='*' clone --quiet /mnt '/root/a clone'"

  echo "== without installing"
  in_root "$root" "cd '/root/a clone' && MUSTER_NO_INSTALL=1 ./muster node" 2>"$root/root/refused.txt" || code=$?
  ((code == 2)) || fail "without packages and without installing, ./muster exited with $code"
  grep 'missing.* g++ cmake' "$root/root/refused.txt" || fail "./muster did not say which packages are missing"
  code=0

  echo "== ./muster node"
  mkdir "$root/root/report"
  in_root "$root" "cd '/root/a clone' && ./muster node --report /root/report/report.json" 2>&1 |
    tee "$root/root/node.txt" || code=${PIPESTATUS[0]}
  status=$(/usr/bin/python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["status"])' \
    "$root/root/report/report.json") || fail "./muster node left no report"
  case $status in
    pass | warn) expected=0 ;;
    fail) expected=1 ;;
    *) expected=3 ;;
  esac
  ((code == expected)) || fail "./muster node exited with $code, but its report says $status"
  grep -q '^report: /root/report/report.json' "$root/root/node.txt" || fail "./muster node did not say where its report is"
  for check in host_memory inventory limits; do
    grep -q "$check" "$root/root/node.txt" || fail "the table has no line for $check"
  done
  /usr/bin/python3 "$repository/tests/support/validate.py" "$repository/results/report.schema.json" "$root/root/report"

  echo "== ./muster test"
  in_root "$root" "cd '/root/a clone' && ./muster test" 2>&1 | tee "$root/root/test.txt" || fail "./muster test failed"
  grep -q '^100% tests passed' "$root/root/test.txt" || fail "not all tests passed"
  in_root "$root" "cd '/root/a clone' && git status --porcelain" | { ! grep .; } || fail "the clone is not clean any more"
  echo "== offline, from elsewhere, through a symbolic link"
  in_root "$root" "ln -s '/root/a clone/muster' /usr/local/bin/ && cd / && time unshare --net muster list" ||
    fail "muster does not work offline"
  echo "== $status report (exit $code), all tests passed"
}

if [[ ${1:-} == --inside ]]; then
  try_inside "$2"
  exit
fi

if ((EUID)) || ! command -v debootstrap >/dev/null; then
  echo "fresh root: skipped, it needs root and debootstrap"
  exit 77
fi
mkdir -p "$cache"
if [[ ! -d $base ]]; then
  rm -rf --one-file-system "$base.new"
  debootstrap --variant=minbase --include=git,ca-certificates bookworm "$base.new" >"$cache/debootstrap.log" ||
    fail "debootstrap failed: see $cache/debootstrap.log"
  mv "$base.new" "$base"
fi
work=$(mktemp -d "$cache/fresh-XXXXXX")
trap 'trap "" INT TERM HUP; rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT TERM HUP
cp -a "$base" "$work/root"
copy_apt_settings "$work/root"
unshare --mount --propagation private --pid --fork --kill-child "$0" --inside "$work/root"
