#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh [--cached] PROGRAM...: builds programs of the test cluster, and of tests that read what muster writes (the folders in
# go/), each once for every state of its folder, and prints for each the folder that has its bin/. go.sum pins the modules,
# which come through Go's proxy; what is built is kept in ${XDG_CACHE_HOME:-~/.cache}/muster/cluster.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cache=${XDG_CACHE_HOME:-$HOME/.cache}/muster/cluster
export PATH=$PATH:/usr/local/go/bin CGO_ENABLED=0 GOFLAGS=-mod=readonly

die() {
  echo "build.sh: $*" >&2
  exit 2
}

# go_build NAME PACKAGE [LINK FLAGS]: for the file `build` of a program's folder, which knows its folder of results as $out.
go_build() { nice -n 5 go build -p 2 -trimpath -ldflags "-s -w ${3:-}" -o "$out/bin/$1" "$2"; }

# build PROGRAM OUT: always in the same place, so that Go's own cache serves the next state of the folder too.
build() {
  local source=$cache/source/$1 out=$2 go_minor
  # 1.21 is the first that fetches the newer Go that a go.mod asks for.
  go_minor=$(go env GOVERSION 2>/dev/null | sed -n 's/^go1\.\([0-9]*\).*/\1/p') || true
  ((${go_minor:-0} >= 21)) ||
    die "the test cluster is built with Go 1.21 or later: unpack one from https://go.dev/dl to /usr/local/go, or have it in PATH"
  echo "build.sh: building $1 into $out, which takes minutes" >&2
  rm -rf "$source" "$out"
  mkdir -p "$cache/source" "$out/bin"
  cp -r "$here/go/$1" "$source"
  (
    cd "$source"
    # shellcheck source=/dev/null
    source ./build
  ) >&2
  rm -rf "$source"
  touch "$out/done"
}

# With --cached, what is not built yet is a failure.
only_cached=0
if [[ ${1:-} == --cached ]]; then
  only_cached=1
  shift
fi

for program; do
  [[ -f $here/go/$program/build ]] || die "there is no program $program"
  hash=$(cd "$here/go/$program" && { uname -m && sha256sum -- *; } | sha256sum | cut -c 1-16)
  made=$cache/$hash
  if [[ ! -e $made/done ]]; then
    ((!only_cached)) || die "$program is not built yet: $0 $program builds it"
    mkdir -p "$cache"
    exec {lock}>"$cache/$program.lock"
    flock "$lock"
    if [[ ! -e $made/done ]]; then build "$program" "$made"; fi # with ||, no failure inside would end it
    exec {lock}>&-
  fi
  echo "$made"
done
