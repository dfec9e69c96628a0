# SPDX-License-Identifier: Apache-2.0
# What prolog.sh and epilog.sh share. Nothing here drains a node but a verdict of fail, unless MUSTER_DRAIN_UNKNOWN is 1.
# shellcheck shell=bash
settings=/etc/muster/fleet.env
# shellcheck source=/dev/null # of the machine
if [[ -r $settings ]]; then source "$settings"; fi
# Slurm gives its scripts none.
export PATH=${MUSTER_BIN:+$MUSTER_BIN:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
node=${SLURMD_NODENAME:-$(hostname)}
reports=${MUSTER_JOB_REPORTS:-${MUSTER_REPORTS:-}}
state=/var/lib/muster
report=$state/slurm.json
# While it is there, no epilog looks again: the report that says what is wrong stays until a job is about to start here.
unfit=$state/slurm.unfit
seconds=${MUSTER_SECONDS:-60}

# On stderr, which slurmd logs where a script fails, and in the system's log.
say() {
  local words="job ${SLURM_JOB_ID:-?} on $node: $*"
  echo "$words" >&2
  logger --tag "muster-$(basename "$0" .sh)" -- "$words" || true
}

# The verdict in the report: "FAIL: 1 of 9 expectations ...".
verdict() {
  sed -n 's/^  "status": "\(.*\)",$/\U\1: /p; s/^  "summary": "\(.*\)",$/\1/p' "$report" | tr -d '\n' | sed 's/\\\(["\\]\)/\1/g'
}

# measure OPTIONS: tests this node, prints the verdict, or what hindered muster, and ends as muster did.
# One at a time: a job may end while another begins, and two would disturb each other and write the same report.
measure() {
  local lock said code=0
  command -v muster >/dev/null || {
    echo "there is no muster in $PATH; install it, or set MUSTER_BIN in $settings"
    return 3
  }
  { mkdir -p "$state" && exec {lock}>"$state/slurm.lock"; } || {
    echo "$state/slurm.lock cannot be written"
    return 3
  }
  flock --wait "$seconds" "$lock" || {
    echo "another prolog or epilog has been looking at this node for $seconds s"
    return 3
  }
  rm -f "$report"
  # shellcheck disable=SC2086 # options are words
  said=$(timeout --kill-after 10 $((seconds + 10)) \
    muster node --budget "$seconds" --state "$state" --report "$report" $1 2>&1 </dev/null {lock}>&-) || code=$?
  if ((code >= 124)); then
    said="muster was stopped after $((seconds + 10)) s, or ended by a signal (exit code $code)"
  elif [[ -e $report ]]; then
    said=$(verdict)
  fi
  [[ ! -e $report ]] || leave_report || say "the report stays in $report: it could not be left in '$reports' (MUSTER_JOB_REPORTS or MUSTER_REPORTS of $settings)"
  echo "${said##*$'\n'}"
  return "$code"
}

# The whole file or none, where `muster fleet collect` reads. A shared file system that hangs does not hold up the job for long.
# shellcheck disable=SC2016 # the variables are those of the bash in it
leave_report() {
  [[ -n $reports ]] &&
    timeout --kill-after 5 20 bash -c 'cp "$0" "$1.part" && mv "$1.part" "$1"' "$report" "$reports/$(hostname).json"
}

# fit OPTIONS: whether a job may run here. Where not, the node is drained with the culprit as the reason; one that was drained before
# keeps its reason.
fit() {
  local sentence code=0
  sentence=$(measure "$1") || code=$?
  case $code in
    0) return 0 ;;
    1) ;;
    *)
      say "nothing is known of this node: $sentence"
      [[ ${MUSTER_DRAIN_UNKNOWN:-0} == 1 ]] || return 0
      ;;
  esac
  say "unfit: $sentence"
  touch "$unfit"
  if [[ $(sinfo --noheader --nodes "$node" --format %T) != drain* ]]; then
    scontrol update "nodename=$node" state=drain "reason=muster: ${sentence##*; worst: }" || say "scontrol could not drain this node"
  fi
  return 1
}
