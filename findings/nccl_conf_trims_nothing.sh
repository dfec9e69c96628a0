#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A blank beside '=' in nccl.conf makes the line set nothing, without a word (NCCL 2.28.9 from PyPI, x86_64).
#
# NCCL takes all that stands before the first '=' as the name, and all behind it as the value. So "NCCL_DEBUG = INFO" sets a
# variable whose name ends in a blank. A blank or `export` before the name does the same; a remark behind the value is a part
# of it; and of two lines the first wins, where a shell would take the last. Who wrote other .conf files expects none of this.
# A job then runs without its topology file, and nothing says so.
#
# Seen, whether NCCL logs anything in ncclGetUniqueId(), which needs no GPU:
#   NCCL_DEBUG=INFO                    some
#   NCCL_DEBUG = INFO                  none
#   (blank)NCCL_DEBUG=INFO             none
#   export NCCL_DEBUG=INFO             none
#   NCCL_DEBUG=INFO # why              none
#   NCCL_DEBUG=NONE, NCCL_DEBUG=INFO   none
#   NCCL_DEBUG=INFO, NCCL_DEBUG=NONE   some
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --no-deps --target . nvidia-nccl-cu13==2.28.9 2>/dev/null
library=$PWD/nvidia/nccl/lib/libnccl.so.2
unset NCCL_DEBUG

# logged LINE...: whether NCCL logs anything with this nccl.conf.
logged() {
  printf '%s\n' "$@" >nccl.conf
  local log
  log=$(NCCL_CONF_FILE=$PWD/nccl.conf timeout 60 python3 -c '
import ctypes, sys
ctypes.CDLL(sys.argv[1]).ncclGetUniqueId(ctypes.create_string_buffer(128))' "$library" 2>&1)
  if [[ $log == *"NCCL INFO"* ]]; then echo some; else echo none; fi
}

changed=0
# expect WANTED LINE...
expect() {
  local found
  found=$(logged "${@:2}")
  printf '%-60s %s\n' "${*:2}" "$found"
  [[ $found == "$1" ]] || changed=1
}

expect some 'NCCL_DEBUG=INFO'
expect none 'NCCL_DEBUG = INFO'
expect none ' NCCL_DEBUG=INFO'
expect none 'export NCCL_DEBUG=INFO'
expect none 'NCCL_DEBUG=INFO # why'
expect none 'NCCL_DEBUG=NONE' 'NCCL_DEBUG=INFO'
expect some 'NCCL_DEBUG=INFO' 'NCCL_DEBUG=NONE'
if ((changed)); then
  echo "This has changed." >&2
  exit 1
fi
