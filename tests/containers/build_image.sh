#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_image.sh [--cached] muster|muster-gpu: prints the path of a docker-archive with the image localhost/NAME:test. It is
# built with buildah on a fresh Debian 12, from an empty store and without a registry, unless the cache has one of the same
# sources; with --cached only that is looked for.
set -euo pipefail
# shellcheck source=tests/rigs/fresh_debian.sh
source "$(dirname "$0")/../rigs/fresh_debian.sh"

readonly most_archives=8
readonly base_image=localhost/muster-base:bookworm
export BUILDAH_ISOLATION=chroot

# What images are made of, as .dockerignore has it, so that nothing changes below a build.
copy_sources() {
  local excluded file
  mapfile -t excluded < <(sed -e '/^#/d' -e 's/^/:(exclude)/' "$repository/.dockerignore")
  git -C "$repository" -c safe.directory='*' ls-files -z --cached --others --exclude-standard -- . "${excluded[@]}" |
    while IFS= read -r -d '' file; do
      if [[ -e $repository/$file ]]; then printf '%s\0' "$file"; fi
    done | tar --directory "$repository" --null --files-from - --create | tar --directory "$1" --extract --no-same-owner
}

# A number for what the image is made of, and how.
inputs() {
  {
    echo "$1"
    declare -f make_base copy_apt_settings prepare_base build
    cd "$2"
    find . -type f -printf '%m %p\0' | sort --zero-terminated
    find . -type f -print0 | sort --zero-terminated | xargs -0 sha256sum
  } | sha256sum | cut -c 1-20
}

in_store() { nice buildah --root "$work/store" --runroot "$work/run" --storage-driver "$driver" "$@"; }

# Overlays do not lie on every file system.
choose_driver() {
  for driver in overlay vfs; do
    if in_store images >/dev/null 2>&1; then return; fi
  done
  fail "buildah has no store: $(in_store images 2>&1)"
}

# As the images of distributions are: no packages lie around, and nothing that is installed is started.
prepare_base() {
  cp -a "$base" "$work/root"
  copy_apt_settings "$work/root"
  printf '#!/bin/sh\nexit 101\n' >"$work/root/usr/sbin/policy-rc.d"
  chmod +x "$work/root/usr/sbin/policy-rc.d"
  rm -rf "$work/root"/var/lib/apt/lists/* "$work/root"/var/cache/apt/* "$work/root/var/log"/{apt,*.log}
  local container
  container=$(in_store from scratch)
  tar --directory "$work/root" --numeric-owner --create --file "$work/base.tar" . # a folder would lose its owners
  in_store add --quiet "$container" "$work/base.tar" / >&2
  in_store commit --quiet "$container" "$base_image" >&2
  in_store rm "$container" >&2
  rm -rf --one-file-system "$work/root" "$work/base.tar"
}

build() {
  choose_driver
  prepare_base
  in_store build --pull=never --build-arg BASE="$base_image" --build-arg BUILDER="$base_image" \
    --target "$1" --tag "localhost/$1:test" \
    --file "$work/context/containers/Containerfile" "$work/context" >&2
  rm -f "$archive.new"
  in_store push --quiet "localhost/$1:test" "docker-archive:$archive.new:localhost/$1:test" >&2
  mv "$archive.new" "$archive"
}

# One at a time: another may have built it meanwhile.
build_alone() {
  exec {lock}>"$images/lock"
  flock "$lock"
  if [[ -e $archive ]]; then return; fi
  make_base
  log=${archive%.tar}.log
  build "$1" 2>"$log"
  log=""
  remove_old
}

# Archives of sources that are no more.
remove_old() {
  local old
  find "$images" -name '*.tar' -printf '%T@ %p\n' | sort --numeric-sort --reverse | tail -n "+$((most_archives + 1))" |
    while read -r _ old; do rm -f "$old"; done
}

# Also where a build fails, whose own words are in its log.
leave() {
  trap "" INT TERM HUP
  if [[ -n $log ]]; then printf '%s\n' "$(tail -20 "$log")" "build_image.sh: not built: all of it is in $log" >&"$terminal"; fi
  rm -rf --one-file-system "$work"
}

main() {
  local only_cached=0
  if [[ ${1:-} == --cached ]]; then
    only_cached=1
    shift
  fi
  [[ ${1:-} == muster || ${1:-} == muster-gpu ]] || {
    echo "build_image.sh [--cached] muster|muster-gpu" >&2
    exit 2
  }
  command -v buildah >/dev/null || {
    echo "$(basename "$0"): skipped, it needs buildah" >&2
    exit 77
  }
  images=$cache/images
  mkdir -p "$images"
  export TMPDIR=$images # where buildah keeps what is compiled, by the hash of its source
  work=$(mktemp -d "$images/build-XXXXXX")
  log=""
  exec {terminal}>&2
  trap 'leave' EXIT
  trap 'exit 130' INT TERM HUP
  mkdir "$work/context"
  copy_sources "$work/context"
  archive=$images/$(inputs "$1" "$work/context").tar
  [[ -e $archive ]] || ((!only_cached)) || fail "the cache has no image $1 of these sources"
  [[ -e $archive ]] || build_alone "$1"
  touch "$archive"
  echo "$archive"
}

main "$@"
