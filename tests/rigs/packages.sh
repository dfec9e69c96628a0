#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What is carried to bare nodes: packages.sh BUILD. The .tar.gz of the build, unpacked below a path with spaces in a fresh
# Debian 12, runs for a user who is nobody there, with no other packages than those its own messages ask for; the .deb
# installs; what is installed below any prefix runs.
set -euo pipefail
# shellcheck source=tests/rigs/fresh_debian.sh
source "$(dirname "$0")/fresh_debian.sh"

readonly most_bytes=5000000
readonly user="runuser --user somebody --"
packages=$cache/packages

make_packages() {
  rm -rf "$packages"
  mkdir -p "$packages"
  cpack --config "$1/CPackConfig.cmake" -B "$packages" >"$packages/cpack.log" 2>&1 || fail "cpack failed: see $packages/cpack.log"
  local package size
  for package in "$packages"/*.{tar.gz,deb}; do
    size=$(stat --format %s "$package")
    echo "== $(basename "$package"): $size bytes"
    ((size < most_bytes)) || fail "$package has more than $most_bytes bytes"
  done
  cmake --install "$1" --prefix "$packages/a prefix" >/dev/null
  "$packages/a prefix/bin/muster" list >/dev/null || fail "what is installed below '$packages/a prefix' does not run"
  [[ ! -e "$packages/a prefix/bin/muster_test" ]] || fail "tests are installed"
}

# The package of this machine that has a shared library.
package_of() {
  local file
  file=$(ldconfig -p | sed -n "s/^\t$1 .* => //p" | head -1)
  dpkg-query --search "$(readlink -f "$file")" | sed 's/:.*//' | head -1
}

# What the last run says that it lacks, as packages.
asked_for() {
  {
    sed -n 's/.*error while loading shared libraries: \([^:]*\):.*/\1/p' "$1" | sort -u | while read -r library; do
      package_of "$library"
    done
    if grep -q 'mpirun is not in PATH' "$1"; then echo openmpi-bin; fi
  } | sort -u
}

try_inside() {
  local root=$1 place="/home/somebody/a place with spaces" code=0 all="" asked
  mount --bind "$packages" "$root/mnt"
  in_root "$root" "useradd --create-home somebody && $user mkdir '$place' && cd '$place' && $user tar xf /mnt/*.tar.gz"
  local muster="'$place'/*/bin/muster"

  for _ in 1 2 3 4 5 6 7 8; do
    code=0
    in_root "$root" "cd '$place' && $user bash -c \"$muster node --profile generic\"" >"$root/home/somebody/said" 2>&1 || code=$?
    asked=$(asked_for "$root/home/somebody/said")
    [[ -n $asked ]] || break
    all+="$asked "
    in_root "$root" "apt-get update && apt-get -y install --no-install-recommends ${asked//$'\n'/ }" >"$root/apt.log" 2>&1 ||
      fail "apt-get cannot install $asked"
  done
  [[ -z $asked ]] || fail "it still asks for $asked"
  cat "$root/home/somebody/said"
  echo "== its messages asked for: $all"
  mkdir "$root/report"
  cp "$root$place/muster-report.json" "$root/report" || fail "muster node left no report"
  expect_report "$code" "$root/report"
  ! grep not_started "$root/report/muster-report.json" || fail "a check could not be started"

  echo "== the .deb"
  in_root "$root" "apt-get -y install --no-install-recommends /mnt/*.deb man-db systemd" >"$root/apt.log" 2>&1 ||
    fail "the .deb cannot be installed: $(tail -3 "$root/apt.log")"
  in_root "$root" "cd / && muster list" | grep '^host_memory ' || fail "the .deb's muster does not list its checks"
  local page word
  for page in $(in_root "$root" "cd /usr/share/man/man1 && ls muster*"); do
    in_root "$root" "man --warnings --encoding UTF-8 ${page%%.*}" >"$root/${page%%.*}.txt" 2>"$root/man.warnings" || fail "man shows no $page"
    [[ ! -s $root/man.warnings ]] || fail "the manual page $page has faults: $(head -3 "$root/man.warnings")"
  done
  for word in muster:muster-node muster-node:--print-threads muster-topology:'MUSTER TOPOLOGY CHECK' muster-kernel_log:--file; do
    grep -qi -e "${word#*:}" "$root/${word%:*}.txt" || fail "the manual page ${word%:*} does not say '${word#*:}'"
  done
  in_root "$root" "systemd-analyze verify muster-{night,collect}.{timer,service}" || fail "systemd refuses the units"
  in_root "$root" "[[ -x /usr/share/muster/deploy/slurm/prolog.sh && -x /usr/share/muster/deploy/slurm/epilog.sh && -x /usr/share/muster/deploy/slurm/job.sh ]]" ||
    fail "Slurm could not start the scripts of deploy"
  # shellcheck disable=SC2016 # of the shell in there
  in_root "$root" '[[ -x $(sed -n "s/.*\"path\": \"\(.*\)\",/\1/p" /usr/share/muster/deploy/node-problem-detector/muster-problem.json) ]]' ||
    fail "node-problem-detector could not start its plugin"
  in_root "$root" "ls /usr/share/{bash-completion/completions/muster,zsh/vendor-completions/_muster,fish/vendor_completions.d/muster.fish}" >/dev/null ||
    fail "a shell finds no completion"
  echo "== the packages run"
}

[[ ${1:-} == --inside ]] || make_packages "$1"
in_fresh_debian "$@"
