#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A stranger's first minutes: on a fresh Debian 12 with git and a shell, clone, ./muster node, ./muster test.
set -euo pipefail
# shellcheck source=tests/rigs/fresh_debian.sh
source "$(dirname "$0")/fresh_debian.sh"

try_inside() {
  local root=$1 code=0
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
  expect_report "$code" "$root/root/report"
  grep -q '^report: /root/report/report.json' "$root/root/node.txt" || fail "./muster node did not say where its report is"
  for check in host_memory inventory limits; do
    grep -q "$check" "$root/root/node.txt" || fail "the table has no line for $check"
  done

  echo "== ./muster test"
  in_root "$root" "cd '/root/a clone' && ./muster test" 2>&1 | tee "$root/root/test.txt" || fail "./muster test failed"
  grep -q '^100% tests passed' "$root/root/test.txt" || fail "not all tests passed"
  in_root "$root" "cd '/root/a clone' && git status --porcelain" | { ! grep .; } || fail "the clone is not clean any more"
  echo "== offline, from elsewhere, through a symbolic link"
  in_root "$root" "ln -s '/root/a clone/muster' /usr/local/bin/ && cd / && time unshare --net muster list" ||
    fail "muster does not work offline"
  echo "== all tests passed"
}

in_fresh_debian "$@"
