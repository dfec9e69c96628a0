# shellcheck shell=bash disable=SC2154 # machine.sh sets what they share
# SPDX-License-Identifier: Apache-2.0
# For machine.sh: Volcano's admission webhooks, at an address in place of a service.

# webhook KIND PATH NAME GROUP VERSION RESOURCE OPERATIONS: what they are in Volcano's own chart.
webhook() {
  cat <<WEBHOOK
---
apiVersion: admissionregistration.k8s.io/v1
kind: ${1}WebhookConfiguration
metadata: {name: volcano-admission-service${2//\//-}}
webhooks:
- name: $3
  admissionReviewVersions: [v1]
  clientConfig: {url: "$webhooks$2"}
  failurePolicy: Fail
  sideEffects: NoneOnDryRun
  timeoutSeconds: 10
  namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [volcano-system, kube-system]}]}
  rules: [{apiGroups: [$4], apiVersions: [$5], resources: [$6], operations: [$7]}]
WEBHOOK
}

print_webhooks() {
  local batch=(batch.volcano.sh v1alpha1) scheduling=(scheduling.volcano.sh v1beta1)
  webhook Mutating /jobs/mutate mutatejob.volcano.sh "${batch[@]}" jobs CREATE
  webhook Mutating /queues/mutate mutatequeue.volcano.sh "${scheduling[@]}" queues CREATE
  webhook Validating /jobs/validate validatejob.volcano.sh "${batch[@]}" jobs "CREATE, UPDATE"
  webhook Validating /queues/validate validatequeue.volcano.sh "${scheduling[@]}" queues "CREATE, UPDATE, DELETE"
  webhook Validating /podgroups/validate validatepodgroup.volcano.sh "${scheduling[@]}" podgroups CREATE
  webhook Validating /cronjobs/validate validatecronjob.volcano.sh "${batch[@]}" cronjobs "CREATE, UPDATE"
}
