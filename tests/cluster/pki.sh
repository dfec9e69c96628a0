# shellcheck shell=bash disable=SC2154 # machine.sh sets what they share
# SPDX-License-Identifier: Apache-2.0
# For machine.sh: one authority, a certificate for each program, a kubeconfig for each client.
pki=$state/pki

make_key() { openssl ecparam -name prime256v1 -genkey -noout -out "$pki/$1.key"; }

# certify NAME SUBJECT [ALTERNATIVE NAMES]
certify() {
  local extensions=$'keyUsage=digitalSignature,keyEncipherment\nextendedKeyUsage=serverAuth,clientAuth'
  make_key "$1"
  openssl req -new -key "$pki/$1.key" -subj "$2" |
    openssl x509 -req -CA "$pki/ca.crt" -CAkey "$pki/ca.key" -CAcreateserial -days 2 -out "$pki/$1.crt" \
      -extfile <(printf '%s\n' "$extensions" ${3:+"subjectAltName=$3"}) 2>/dev/null
}

# make_client NAME SUBJECT [ALTERNATIVE NAMES]
make_client() {
  certify "$@"
  cat >"$state/$1.conf" <<CLIENT
apiVersion: v1
kind: Config
current-context: cluster
contexts: [{name: cluster, context: {cluster: cluster, user: $1}}]
clusters: [{name: cluster, cluster: {server: "$api", certificate-authority: $pki/ca.crt}}]
users: [{name: $1, user: {client-certificate: $pki/$1.crt, client-key: $pki/$1.key}}]
CLIENT
}

make_certificates() {
  local number kubernetes=DNS:kubernetes
  mkdir -p "$pki"
  make_key ca
  openssl req -x509 -new -key "$pki/ca.key" -subj /CN=cluster -days 2 -out "$pki/ca.crt" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
  openssl genrsa -out "$pki/accounts.key" 2048
  openssl rsa -in "$pki/accounts.key" -pubout -out "$pki/accounts.pub" 2>/dev/null
  kubernetes+=,$kubernetes.default,$kubernetes.default.svc,$kubernetes.default.svc.cluster.local
  certify kube-apiserver /CN=kube-apiserver "IP:$gateway,IP:127.0.0.1,IP:$service_address,$kubernetes"
  certify webhook /CN=volcano-admission IP:127.0.0.1
  make_client admin /O=system:masters/CN=admin
  make_client kube-controller-manager /CN=system:kube-controller-manager
  make_client kube-scheduler /CN=system:kube-scheduler
  make_client kube-proxy /CN=system:kube-proxy
  make_client volcano /O=system:masters/CN=volcano
  for ((number = 1; number <= NODES; number++)); do
    make_client "node$number" "/O=system:nodes/CN=system:node:node$number" "IP:10.244.0.$number,DNS:node$number"
  done
}
