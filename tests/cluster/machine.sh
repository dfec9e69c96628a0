#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The first process of a cluster's namespaces, started by up.sh: machine.sh FOLDER [ARCHIVE]... starts everything, and when
# stdin or SIGTERM says so, ends everything.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
state=$1 archives=("${@:2}")
gateway=10.244.0.1 service_address=10.96.0.1 service_network=10.96.0.0/16
api=https://$gateway:6443 webhooks=https://127.0.0.1:8443
group=$(<"$state/group")
export KUBECONFIG=$state/admin.conf KUBECACHEDIR=$state/kubectl
# shellcheck source=tests/cluster/lib.sh
source "$here/lib.sh"
# shellcheck source=tests/cluster/pki.sh
source "$here/pki.sh"
# shellcheck source=tests/cluster/webhooks.sh
source "$here/webhooks.sh"

# shellcheck disable=SC2317 # called by trap
end() {
  trap - EXIT
  kill -KILL -1 || true
  local left=(1 2)
  while ((${#left[@]} > 1)); do
    sleep 0.02
    left=(/proc/[0-9]*) # in this shell: every command would be one more
  done
  remove_control_groups "$group"
}

now() { date +%s%3N; }
began=$(now) lap=$began
# phase NAME: says how long what came before it took.
phase() {
  local time
  time=$(now)
  printf '%-24s %6d ms, at %6d ms\n' "$1" $((time - lap)) $((time - began))
  lap=$time
}

# start NAME COMMAND...: in the background, with its process id and log by its name.
start() {
  "${@:2}" >"$state/log/$1.log" 2>&1 </dev/null &
  echo "$! $(born $!)" >"$state/processes/$1"
  disown
}

# await PROCESS SECONDS WHAT COMMAND...: until the command succeeds; ends everything when the process has died.
await() {
  local end=$((SECONDS + $2))
  until "${@:4}" >/dev/null 2>&1; do
    running "$state/processes/$1" || die "$1 died: $(tail -n 3 "$state/log/$1.log")"
    ((SECONDS < end)) || die "$3 is not there after $2 s: $(tail -n 3 "$state/log/$1.log")"
    sleep 0.05
  done
}

# ask PATH: of the API server.
ask() { curl --silent --fail --cacert "$pki/ca.crt" --cert "$pki/admin.crt" --key "$pki/admin.key" "$api$1"; }

# What the programs would share with the machine that the namespaces do not separate: their places outside the state, and
# what a kubelet tells a kernel.
isolate() {
  local folder name
  mount -t tmpfs -o mode=755 tmpfs /run
  mkdir /run/lock
  for folder in /var/lib /var/log; do
    name=/run/cover-${folder##*/}
    mkdir "$name" "$name/upper" "$name/work"
    mount -t overlay -o "lowerdir=$folder,upperdir=$name/upper,workdir=$name/work" overlay "$folder"
  done
  for name in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_max{keys,bytes}; do
    mkdir -p "/run/kernel/${name%/*}"
    cat "/proc/sys/$name" >"/run/kernel/$name"
    mount --bind "/run/kernel/$name" "/proc/sys/$name"
  done
}

# A bridge with the address of every node; its own is fixed, or it would change with the pods and leave them stale neighbours.
make_network() {
  local number
  echo 1 >/proc/sys/net/ipv4/ip_forward
  ip link set lo up
  ip link add cluster0 address 0a:58:0a:f4:00:01 type bridge
  for ((number = 1; number <= NODES; number++)); do ip addr add "10.244.0.$number/16" dev cluster0; done
  ip link set cluster0 up
  ip route add "$service_network" dev cluster0 # for this machine, as pods have it by their gateway
}

make_control_groups() {
  local top folder file
  for top in $(control_groups "$group"); do
    for folder in "$top" $(seq -f "$top/node%g" "$NODES"); do
      if [[ -e /sys/fs/cgroup/cgroup.procs ]]; then
        sed 's/[^ ]*/+&/g' "${folder%/*}/cgroup.controllers" >"${folder%/*}/cgroup.subtree_control"
      fi
      mkdir "$folder"
      for file in cpuset.cpus cpuset.mems; do # in version 1 nobody may enter before they are set
        [[ ! -e $folder/$file || -s $folder/$file && -n $(<"$folder/$file") ]] || cat "${folder%/*}/$file" >"$folder/$file"
      done
    done
  done
}

# fill NAME FOLDER [NODE]: that file of conf/ with its places filled in.
fill() { sed "s#@FOLDER@#$2#g; s#@PKI@#$pki#g; s#@GROUP@#$group#g; s#@NODE@#${3:-}#g" "$here/conf/$1"; }

start_runtimes() {
  local number folder
  for ((number = 1; number <= NODES; number++)); do
    folder=$state/node$number
    mkdir -p "$folder/cni" "$folder/kubelet" "$folder/plugins" "$folder/pod-logs"
    : >"$folder/resolv.conf"
    fill containerd.toml "$folder" >"$folder/containerd.toml"
    fill cni.conflist "$folder" "$number" >"$folder/cni/10-cluster.conflist"
    fill kubelet.yaml "$folder" "$number" >"$folder/kubelet.yaml"
    start "containerd$number" containerd --config "$folder/containerd.toml"
  done
}

# An image of a static busybox, which is also what holds a pod's namespaces.
make_tiny_image() {
  local folder=$state/tiny program layer
  mkdir -p "$folder/root/bin" "$folder/root/tmp"
  cp "$(command -v busybox)" "$folder/root/bin/busybox"
  for program in $(busybox --list); do [[ $program == busybox ]] || ln -s busybox "$folder/root/bin/$program"; done
  tar -C "$folder/root" -cf "$folder/layer.tar" .
  layer=$(sha256sum <"$folder/layer.tar")
  jq --null-input --arg layer "sha256:${layer%% *}" '{architecture: "amd64", os: "linux", config: {Cmd: ["/bin/sleep", "infinity"],
    Env: ["PATH=/bin"]}, rootfs: {type: "layers", diff_ids: [$layer]}}' >"$folder/config.json"
  jq --null-input '[{Config: "config.json", RepoTags: ["localhost/tiny:1"], Layers: ["layer.tar"]}]' >"$folder/manifest.json"
  tar -C "$folder" -cf "$state/tiny.tar" manifest.json config.json layer.tar
  rm -r "$folder"
}

# import_images NODE
import_images() {
  local archive socket=$state/node$1/containerd.sock
  await "containerd$1" 60 containerd ctr --address "$socket" version
  for archive in "$state/tiny.tar" "${archives[@]}"; do
    ctr --address "$socket" --namespace k8s.io images import "$archive" >>"$state/log/images$1.log" 2>&1 ||
      die "the images of $archive could not be imported: $(tail -n 3 "$state/log/images$1.log")"
  done
}

# shellcheck source=tests/cluster/programs.sh
source "$here/programs.sh"

trap end EXIT
trap 'exit 0' TERM
cat <&0 >/dev/null & # ends with stdin
until_eof=$! imports=()
mkdir "$state/processes"
isolate
make_network
make_control_groups
make_certificates
phase "machine"
start_runtimes
make_tiny_image
for ((number = 1; number <= NODES; number++)); do
  import_images "$number" &
  imports+=($!)
done
start_control_plane
start_kubelets
start_volcano
start_names
phase "names and services"
for import in "${imports[@]}"; do wait "$import"; done
phase "images"
await_nodes
phase "nodes"
touch "$state/ready"
wait "$until_eof"
