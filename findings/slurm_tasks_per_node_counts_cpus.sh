#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Slurm 22.05.8 (Debian: 22.05.8-4+deb12u3) sets SLURM_TASKS_PER_NODE to the CPUs of a node where a job asks for no tasks.
#
# srun starts one task on each node then, and the variable is documented as the number of tasks of each node. So one expects 1.
# For an exclusive job it is the number of CPUs, and SLURM_NTASKS is not set. Launchers that take the variable for slots start as
# many ranks as there are CPUs, and not one on each node. It is right where the job has asked for tasks.
#
# Seen, on a node of 4 CPUs:
#   --exclusive:             SLURM_TASKS_PER_NODE=4, SLURM_NTASKS=none; srun starts 1
#   --exclusive --ntasks 1:  SLURM_TASKS_PER_NODE=1, SLURM_NTASKS=1; srun starts 1
#
# Needs root, and ports 17817 and 17818.
set -euo pipefail

folder=$(mktemp -d)
daemons=()
finish() {
  kill "${daemons[@]}" 2>/dev/null || true
  wait
  rm -rf "$folder"
}
trap finish EXIT
chmod 755 "$folder"
(
  cd "$folder"
  version=22.05.8-4+deb12u3
  apt-get download -qq {slurm-client,slurmctld,slurmd,slurm-wlm-basic-plugins}="$version" >/dev/null 2>&1
  for package in ./*.deb; do dpkg -x "$package" .; done
)
plugins=$folder/usr/lib/x86_64-linux-gnu/slurm-wlm
host=$(hostname -s)
mkdir "$folder/state" "$folder/spool"
cat >"$folder/slurm.conf" <<EOF
ClusterName=some
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17817
SlurmdPort=17818
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
PluginDir=$plugins
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4
PartitionName=all Nodes=ALL Default=YES
EOF
export SLURM_CONF=$folder/slurm.conf LD_LIBRARY_PATH=$plugins PATH=$folder/usr/bin:$folder/usr/sbin:$PATH
slurmctld-wlm -D >"$folder/slurmctld.log" 2>&1 &
daemons+=($!)
slurmd-wlm -D -N "$host" -d "$folder/usr/sbin/slurmstepd-wlm" >"$folder/slurmd.log" 2>&1 &
daemons+=($!)
for _ in {1..100}; do
  state=$(sinfo --noheader --format %T 2>/dev/null || true)
  [[ $state != idle ]] || break
  sleep 0.2
done

# seen OPTIONS...: what a job with these options is told, and what srun starts in it.
seen() {
  # shellcheck disable=SC2016 # the shell of the job expands these
  timeout 30 salloc --quiet --exclusive "$@" sh -c 'started=$(srun --mpi=none echo task | wc -l)
    echo "SLURM_TASKS_PER_NODE=$SLURM_TASKS_PER_NODE, SLURM_NTASKS=${SLURM_NTASKS:-none}; srun starts $started"'
}

without=$(seen)
with=$(seen --ntasks 1)
echo "--exclusive:             $without"
echo "--exclusive --ntasks 1:  $with"
if [[ $without != "SLURM_TASKS_PER_NODE=4, SLURM_NTASKS=none; srun starts 1" ||
  $with != "SLURM_TASKS_PER_NODE=1, SLURM_NTASKS=1; srun starts 1" ]]; then
  echo "This has changed." >&2
  exit 1
fi
