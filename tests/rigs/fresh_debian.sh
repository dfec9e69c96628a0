# SPDX-License-Identifier: Apache-2.0
# A fresh Debian 12 to try things in, for rigs that source this file and define try_inside ROOT. It needs root and
# debootstrap, and is kept in MUSTER_CACHE, by default ~/.cache/muster or what XDG_CACHE_HOME says.
# shellcheck shell=bash

# shellcheck disable=SC2034 # of those that source it
repository=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
cache=${MUSTER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/muster}
base=$cache/bookworm

fail() {
  echo "$(basename "$0"): $*" >&2
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

# expect_report CODE FOLDER: the report there, alone in it, is valid and its status is what the program exited with. Prints that.
expect_report() {
  local code=$1 status expected
  status=$(/usr/bin/python3 -c 'import json, pathlib, sys
[report] = pathlib.Path(sys.argv[1]).glob("*.json")
print(json.loads(report.read_text())["status"])' "$2") || fail "there is no report in $2"
  case $status in
    pass | warn) expected=0 ;;
    fail) expected=1 ;;
    *) expected=3 ;;
  esac
  ((code == expected)) || fail "muster exited with $code, but its report says $status"
  /usr/bin/python3 "$repository/tests/support/validate.py" --metrics "$repository/healthcheck/metrics.json" \
    "$repository/results/report.schema.json" "$2" || fail "the report in $2 is not valid"
  echo "== $status report (exit $code)"
}

# In name spaces of their own, so that mounts and processes end with them however they end.
mount_system() {
  mount --bind "$1" "$1" # / of every machine and container is a mount
  mount -t proc proc "$1/proc"
  mount --rbind /sys "$1/sys"
  mount --rbind /dev "$1/dev"
}

# The fresh Debian that copies are made of; skips where it cannot be made.
make_base() {
  if ((EUID)) || ! command -v debootstrap >/dev/null; then
    echo "$(basename "$0"): skipped, it needs root and debootstrap" >&2
    exit 77
  fi
  mkdir -p "$cache"
  if [[ ! -d $base ]]; then
    rm -rf --one-file-system "$base.new"
    debootstrap --variant=minbase --include=git,ca-certificates bookworm "$base.new" >"$cache/debootstrap.log" ||
      fail "debootstrap failed: see $cache/debootstrap.log"
    mv "$base.new" "$base"
  fi
}

# in_fresh_debian ARGUMENTS: calls try_inside with the root of a fresh copy.
in_fresh_debian() {
  if [[ ${1:-} == --inside ]]; then
    mount_system "$2"
    try_inside "$2"
    exit
  fi
  make_base
  work=$(mktemp -d "$cache/fresh-XXXXXX")
  trap 'trap "" INT TERM HUP; rm -rf --one-file-system "$work"' EXIT
  trap 'exit 130' INT TERM HUP
  cp -a "$base" "$work/root"
  copy_apt_settings "$work/root"
  unshare --mount --propagation private --pid --fork --kill-child "$0" --inside "$work/root"
}
