#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A job of Slurm that measures over its nodes and ends as the report says, which is muster-JOB.json in the folder of sbatch:
#   sbatch --nodes 8 --ntasks-per-node 8 --gpus-per-node 8 job.sh allreduce -b 1G -e 8G -f 2
# mpirun starts the ranks, and srun the daemons of mpirun. With MUSTER_MPI=pmix srun starts the ranks by that plug-in.
#SBATCH --job-name=muster
#SBATCH --exclusive
#SBATCH --time=00:30:00
#SBATCH --output=muster-%j.txt
set -uo pipefail
settings=/etc/muster/fleet.env
# shellcheck source=/dev/null # of the machine
if [[ -r $settings ]]; then source "$settings"; fi
export PATH=${MUSTER_BIN:+$MUSTER_BIN:}$PATH
report=muster-$SLURM_JOB_ID.json
# Seconds that ranks have to end after the first one, so that a rank that is lost is told.
seconds=20

[[ -n ${MUSTER_MPI:-} ]] || exec muster launch --report "$report" "$@"

program=$(command -v "muster-${1//_/-}") || {
  echo "there is no check '$1' in $PATH: with MUSTER_MPI the name of the check comes first" >&2
  exit 2
}
rm -f "$report"
srun --mpi="$MUSTER_MPI" --wait="$seconds" "$program" --report "$report" "${@:2}"
code=$?
if [[ -e $report ]]; then
  exec muster report "$report" >/dev/null
fi
# An option that the check refuses leaves no report, and neither do ranks that did not start.
echo "no report has come: srun says above on which node a rank did not start, or ended (exit code $code)" >&2
exit 3
