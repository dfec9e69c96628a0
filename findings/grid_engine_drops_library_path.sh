#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Grid Engine 8.1.9 (Debian: 8.1.9+dfsg-10+b1) gives a job neither the LD_LIBRARY_PATH nor the PATH that qsub was told.
#
# `qsub -V` is documented to bring all variables, and `-v NAME=VALUE` to set one. LD_LIBRARY_PATH is dropped without a word, and the
# job's shell is a login shell, whose profile sets PATH anew. Other variables arrive: a job that was told an Open MPI of its own has
# its OPAL_PREFIX, and the mpirun and the libraries of the distribution.
#
# Seen:
#   qsub -V: LD_LIBRARY_PATH, PATH and OPAL_PREFIX of the job: none, another, /opt/mpi
#   qsub -v: LD_LIBRARY_PATH, PATH and OPAL_PREFIX of the job: none, another, /opt/mpi
#
# Needs root, and Debian 12.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

if [[ ${1:-} != --apart ]]; then
  version=8.1.9+dfsg-10+b1
  exec "$here/../tests/rigs/apart.sh" "gridengine-master=$version gridengine-exec=$version gridengine-client=$version" "$0" --apart
fi

until_ready() {
  local try
  for ((try = 0; try < 150; try++)); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.2
  done
  echo "not after 30 s: $*" >&2
  exit 1
}

quietly() {
  local said
  said=$("$@" 2>&1) || {
    echo "$*: $said" >&2
    return 1
  }
}

# configure OPTION SHOW EDIT: gives qconf what it shows, edited by sed.
configure() {
  qconf "$2" | sed "$3" >/run/global # a name that -Mconf wants
  quietly qconf "$1" /run/global
}

has_load() { qhost | grep --quiet '^node .*lx-amd64 .* [0-9.]*[GM] '; }

ip link set lo up
ip address add 10.9.9.1/24 dev lo
hostname node
echo "10.9.9.1 node" >>/etc/hosts
echo node >/var/lib/gridengine/default/common/act_qmaster
export SGE_ND=1 # no daemons
sge_qmaster >/dev/null 2>&1 &
until_ready qconf -sconf
configure -Mconf -sconf 's/^min_[ug]id .*/#/; s/^load_report_time .*/load_report_time 00:00:02/'
quietly qconf -ah node -as node
sge_execd >/dev/null 2>&1 &
until_ready has_load
configure -Aq -sq 's/^qname .*/qname all.q/; s/^hostlist .*/hostlist node/; s/^\(load_thresholds\|pe_list\) .*/\1 NONE/'

cd /run
export LD_LIBRARY_PATH=/opt/mpi/lib PATH=/opt/mpi/bin:$PATH OPAL_PREFIX=/opt/mpi
# shellcheck disable=SC2016 # the job expands these
echo 'echo "${LD_LIBRARY_PATH:-none}, $([[ $PATH == /opt/mpi/bin:* ]] && echo ours || echo another), ${OPAL_PREFIX:-none}"' >job.sh
for way in "-V" "-v LD_LIBRARY_PATH=$LD_LIBRARY_PATH,PATH=$PATH,OPAL_PREFIX=$OPAL_PREFIX"; do
  # shellcheck disable=SC2086 # an option and its value
  qsub -S /bin/bash -cwd -sync y -j y -o said.txt $way job.sh >/dev/null
  said=$(<said.txt)
  echo "qsub ${way%% *}: LD_LIBRARY_PATH, PATH and OPAL_PREFIX of the job: $said"
  if [[ $said != "none, another, /opt/mpi" ]]; then
    echo "This has changed." >&2
    exit 1
  fi
  rm said.txt
done
