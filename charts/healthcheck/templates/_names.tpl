{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{- define "healthcheck.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/* Of what is in no namespace. */}}
{{- define "healthcheck.clusterName" -}}
{{ include "healthcheck.name" . }}.{{ .Release.Namespace }}
{{- end }}

{{/* Of the Job, or the CronJob. */}}
{{- define "healthcheck.job" -}}
{{ include "healthcheck.name" . }}{{ if not .Values.schedule }}-{{ .Release.Revision }}{{ end }}
{{- end }}

{{- define "healthcheck.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "healthcheck.image" -}}
{{- $image := .Values.image -}}
{{- $repository := $image.repository | default (ternary "muster-gpu" "muster" (gt (int .Values.gpusPerNode) 0)) -}}
{{- $path := list .Values.registryPrefix $repository | compact | join "/" -}}
{{- if $image.digest }}{{ $path }}@{{ $image.digest }}{{ else }}{{ $path }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Refuses, in one sentence, what no schema can. */}}
{{- define "healthcheck.check" -}}
{{- $job := include "healthcheck.job" . -}}
{{- if gt (len $job) 52 -}}
{{- fail (printf "the name %s has %d characters, and can have 52, so that a Job of a night has 63: name the release otherwise, or set fullnameOverride" $job (len $job)) -}}
{{- end -}}
{{- if and .Values.profileContent (ne .Values.profile "auto") -}}
{{- fail (printf "profile %s and profileContent are two profiles: leave one of both away" .Values.profile) -}}
{{- end -}}
{{- if and .Values.results.claim .Values.results.create -}}
{{- fail (printf "results.claim %s is a claim that exists, so leave results.create away" .Values.results.claim) -}}
{{- end -}}
{{- if and .Values.act.schedule (not (or .Values.results.claim .Values.results.create)) -}}
{{- fail "act.schedule is there and no claim for the reports that it needs: set results.claim or results.create" -}}
{{- end -}}
{{- if not .Values.act.schedule -}}
{{- range $value := list "condition" "events" "gate" "readinessRule" -}}
{{- if index $.Values.act $value -}}
{{- fail (printf "act.%s is for what act.schedule starts: set act.schedule too" $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with .Values.act.readinessRule -}}
{{- if not $.Values.act.condition -}}
{{- fail (printf "act.readinessRule %s waits for the condition MusterFit, which nobody tells: set act.condition too" .) -}}
{{- end -}}
{{- if not $.Values.nodes.selector -}}
{{- fail (printf "act.readinessRule %s is for the nodes of nodes.selector, and node-readiness-controller takes no rule for all nodes: set nodes.selector" .) -}}
{{- end -}}
{{- if eq . $.Values.act.gate -}}
{{- fail (printf "act.gate and act.readinessRule are both %s, which only one can take off: leave one of both away" .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.notify.schedule (not (or .Values.results.claim .Values.results.create)) -}}
{{- fail "notify.schedule is there and no claim for the reports, and for what was told: set results.claim or results.create" -}}
{{- end -}}
{{- if and .Values.notify.schedule (not .Values.notify.secret) -}}
{{- fail "notify.schedule is there and no Secret with the address of the listener: set notify.secret" -}}
{{- end -}}
{{- if and .Values.notify.template .Values.notify.templateContent -}}
{{- fail (printf "notify.template %s and notify.templateContent are two templates: leave one of both away" .Values.notify.template) -}}
{{- end -}}
{{- if le (int .Values.deadline) (int .Values.nodeDeadline) -}}
{{- fail (printf "deadline %d is for the whole night, and nodeDeadline %d for each node: set a longer deadline" (int .Values.deadline) (int .Values.nodeDeadline)) -}}
{{- end -}}
{{- end }}
