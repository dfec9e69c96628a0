# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What up.sh, machine.sh and down.sh share.

die() {
  echo "cluster: $*" >&2
  exit 2
}

# born PID: when it started, which tells it from a later process of the same number.
born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

# running FILE: whether the process that FILE names is still there.
running() {
  local pid start
  [[ -s $1 ]] && read -r pid start <"$1" && [[ $(born "$pid") == "$start" ]]
}

# control_groups NAME: the folder of that name in each hierarchy of control groups, which there are many of in version 1.
control_groups() {
  if [[ -e /sys/fs/cgroup/cgroup.procs ]]; then
    echo "/sys/fs/cgroup/$1"
  else
    printf '%s\n' /sys/fs/cgroup/*/cgroup.procs | sed "s#cgroup.procs\$#$1#"
  fi
}

# remove_control_groups NAME: once their processes are gone, which takes the kernel a moment.
remove_control_groups() {
  local group end=$((SECONDS + 10))
  for group in $(control_groups "$1"); do
    while [[ -d $group ]] && ! find "$group" -depth -type d -exec rmdir {} + 2>/dev/null; do
      ((SECONDS < end)) || die "$group cannot be removed"
      sleep 0.05
    done
  done
}

# stop FOLDER: ends the cluster whose state is in FOLDER and waits for that.
stop() {
  local file=$1/init pid _ end=$((SECONDS + 20))
  if running "$file"; then
    read -r pid _ <"$file"
    kill -TERM "$pid"
    while running "$file" && ((SECONDS < end)); do sleep 0.05; done
    if running "$file"; then kill -KILL "$pid"; fi
    while running "$file"; do sleep 0.05; done
  fi
  remove_control_groups "$(cat "$1/group")"
}
