# shellcheck shell=bash disable=SC2154 # machine.sh sets what they share
# SPDX-License-Identifier: Apache-2.0
# For machine.sh: the programs of a cluster, with what each is told, and how it is known that each serves.

start_control_plane() {
  local authority=(--client-ca-file="$pki/ca.crt" --kubelet-certificate-authority="$pki/ca.crt") store=http://127.0.0.1
  start etcd etcd --name cluster --data-dir "$state/etcd" --unsafe-no-fsync --log-level warn \
    --listen-client-urls $store:2379 --advertise-client-urls $store:2379 \
    --listen-peer-urls $store:2380 --initial-advertise-peer-urls $store:2380 --initial-cluster cluster=$store:2380
  await etcd 60 etcd curl --silent --fail $store:2379/health
  phase "etcd"
  start kube-apiserver kube-apiserver --etcd-servers=$store:2379 "${authority[@]}" \
    --bind-address="$gateway" --advertise-address="$gateway" --secure-port=6443 \
    --tls-cert-file="$pki/kube-apiserver.crt" --tls-private-key-file="$pki/kube-apiserver.key" \
    --kubelet-client-certificate="$pki/admin.crt" --kubelet-client-key="$pki/admin.key" \
    --service-account-issuer=https://kubernetes.default.svc.cluster.local \
    --service-account-key-file="$pki/accounts.pub" --service-account-signing-key-file="$pki/accounts.key" \
    --kubelet-preferred-address-types=InternalIP --service-cluster-ip-range="$service_network" \
    --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --allow-privileged=true --profiling=false
  await kube-apiserver 60 "the API" ask /readyz
  phase "API server"
  start kube-controller-manager kube-controller-manager --kubeconfig="$state/kube-controller-manager.conf" \
    --bind-address=127.0.0.1 --leader-elect=false --use-service-account-credentials=true --root-ca-file="$pki/ca.crt" \
    --service-account-private-key-file="$pki/accounts.key" \
    --cluster-signing-cert-file="$pki/ca.crt" --cluster-signing-key-file="$pki/ca.key"
  start kube-scheduler kube-scheduler --kubeconfig="$state/kube-scheduler.conf" --bind-address=127.0.0.1 --leader-elect=false
}

start_kubelets() {
  local number folder
  for ((number = 1; number <= NODES; number++)); do
    folder=$state/node$number
    start "kubelet$number" kubelet --config="$folder/kubelet.yaml" --kubeconfig="$state/node$number.conf" \
      --hostname-override="node$number" --node-ip="10.244.0.$number" --root-dir="$folder/kubelet" --cert-dir="$folder/kubelet/pki"
  done
}

queue_is_open() { ask /apis/scheduling.volcano.sh/v1beta1/queues/default | jq --exit-status '.status.state == "Open"'; }

# Its kinds first; then queues are made by its scheduler and opened by its controllers.
start_volcano() {
  local client=(--kubeconfig="$state/volcano.conf") address=127.0.0.1
  kubectl apply --server-side -f "$KINDS" >"$state/log/kinds.log"
  kubectl wait --for=condition=Established --timeout=60s crd --all >>"$state/log/kinds.log"
  kubectl create namespace volcano-system >>"$state/log/kinds.log"
  phase "Volcano's kinds"
  cp "$here/conf/volcano-scheduler.conf" "$state"
  start vc-scheduler vc-scheduler "${client[@]}" --scheduler-conf="$state/volcano-scheduler.conf" --leader-elect=false \
    --schedule-period=200ms --listen-address=$address:8080 --cache-dumper=false
  start vc-controller-manager vc-controller-manager "${client[@]}" --leader-elect=false --listen-address=$address:8082
  print_webhooks | kubectl create -f - >"$state/log/webhooks.log"
  start vc-webhook-manager vc-webhook-manager "${client[@]}" --listen-address=$address --port=8443 --webhook-url="$webhooks" \
    --ca-cert-file="$pki/ca.crt" --tls-cert-file="$pki/webhook.crt" --tls-private-key-file="$pki/webhook.key" \
    --enabled-admission=/jobs/mutate,/jobs/validate,/queues/mutate,/queues/validate,/podgroups/validate,/cronjobs/validate
  await vc-webhook-manager 60 "the webhooks' server" curl --silent --insecure --output /dev/null "$webhooks/jobs/validate"
  await vc-controller-manager 60 "an open queue" queue_is_open
  phase "Volcano"
}

# CoreDNS, and kube-proxy for the service of the API.
start_names() {
  fill Corefile "$state" >"$state/Corefile"
  start coredns coredns -conf "$state/Corefile"
  start kube-proxy kube-proxy --kubeconfig="$state/kube-proxy.conf" --hostname-override=node1 --proxy-mode=iptables \
    --cluster-cidr=10.244.0.0/16 --metrics-bind-address=127.0.0.1:10249 --healthz-bind-address=127.0.0.1:10256 \
    --conntrack-max-per-core=0 --conntrack-tcp-timeout-established=0 --conntrack-tcp-timeout-close-wait=0
  await coredns 60 CoreDNS curl --silent --fail "http://$gateway:8181/ready"
  await kube-proxy 60 "the API's service" curl --silent --cacert "$pki/ca.crt" --output /dev/null "https://$service_address/healthz"
}

node_is_ready() { ask "/api/v1/nodes/node$1" | jq --exit-status 'any(.status.conditions[]; .type == "Ready" and .status == "True")'; }

await_nodes() {
  local number
  for ((number = 1; number <= NODES; number++)); do
    await "kubelet$number" 60 "node$number" node_is_ready "$number"
    ((FAKE_GPUS == 0)) || kubectl patch node "node$number" --subresource=status --type=merge \
      --patch '{"status": {"capacity": {"nvidia.com/gpu": "'"$FAKE_GPUS"'"}}}'
  done
  await kube-controller-manager 60 "the default account" ask /api/v1/namespaces/default/serviceaccounts/default
}
