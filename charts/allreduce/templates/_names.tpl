{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{- define "allreduce.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/* Of the job, and so of all that Volcano makes for it. */}}
{{- define "allreduce.job" -}}
{{- if eq .Values.nameBy "values" -}}
{{ include "allreduce.name" . }}-{{ list .Chart.Version .Values | toJson | sha256sum | trunc 10 }}
{{- else -}}
{{ include "allreduce.name" . }}-{{ .Release.Revision }}
{{- end }}
{{- end }}

{{- define "allreduce.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "allreduce.image" -}}
{{- $image := .Values.image -}}
{{- $repository := $image.repository | default (ternary "muster-gpu" "muster" (gt (int .Values.gpusPerNode) 0)) -}}
{{- $path := list .Values.registryPrefix $repository | compact | join "/" -}}
{{- if $image.digest }}{{ $path }}@{{ $image.digest }}{{ else }}{{ $path }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* A value as text: what YAML reads as a great number keeps its digits, and a boolean is 1 or 0. */}}
{{- define "allreduce.text" -}}
{{- if kindIs "bool" . }}{{ ternary "1" "0" . }}
{{- else if and (kindIs "float64" .) (eq . (floor .)) }}{{ printf "%.0f" . }}
{{- else }}{{ . }}{{ end }}
{{- end }}

{{/* Whole MiB of a quantity of memory. */}}
{{- define "allreduce.mebibytes" -}}
{{- $number := regexFind "^[0-9]+" . | int64 -}}
{{- $unit := regexFind "[A-Z]i$" . -}}
{{- if eq $unit "Ki" }}{{ div $number 1024 }}{{ else }}{{ mul $number (get (dict "Mi" 1 "Gi" 1024 "Ti" 1048576) $unit) }}{{ end }}
{{- end }}

{{/* Refuses, in one sentence, what no schema can. */}}
{{- define "allreduce.check" -}}
{{- $job := include "allreduce.job" . -}}
{{- $remedy := "name the release otherwise, or set fullnameOverride" -}}
{{- if eq .Values.launcher "volcano" -}}
{{- $longest := sub 63 (max (len "-launcher-0") (len (printf "-worker-%d" (sub (int .Values.numNodes) 1)))) -}}
{{- if gt (len $job) (int $longest) -}}
{{- fail (printf "the job's name %s has %d characters, and with more than %d those of its pods would have more than 63: %s" $job (len $job) $longest $remedy) -}}
{{- end -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $job) -}}
{{- fail (printf "the job's name %s is also the name of a service, which begins with a letter and has no dot: %s" $job $remedy) -}}
{{- end -}}
{{- else -}}
{{- if gt (len $job) 63 -}}
{{- fail (printf "the job's name %s has %d characters, and can have 63: %s" $job (len $job) $remedy) -}}
{{- end -}}
{{- if gt (int .Values.numNodes) 1 -}}
{{- fail (printf "launcher: job runs on one node: set numNodes=1, or launcher=volcano for %d nodes" (int .Values.numNodes)) -}}
{{- end -}}
{{- end -}}
{{- if eq (mul .Values.numNodes (include "allreduce.ranks" . | trim)) 1 -}}
{{- fail "numNodes=1 and one rank there: one rank moves no data, so set gpusPerNode or ranksPerNode to 2 or more" -}}
{{- end -}}
{{- if and .Values.azureml.enabled (not (and .Values.resources.cpu .Values.resources.memory)) -}}
{{- fail "azureml.enabled: AzureML wants requests equal to limits, so set resources.cpu and resources.memory" -}}
{{- end -}}
{{- if and .Values.resources.memory .Values.shmSize -}}
{{- if gt (include "allreduce.mebibytes" .Values.shmSize | int64) (include "allreduce.memory" . | include "allreduce.mebibytes" | int64) -}}
{{- fail (printf "shmSize %s is a part of the memory of a worker, which is %s: set a smaller one" .Values.shmSize (include "allreduce.memory" .)) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.profileContent (ne .Values.profile "auto") -}}
{{- fail (printf "profile %s and profileContent are two profiles: leave one of both away" .Values.profile) -}}
{{- end -}}
{{- if and .Values.topologyContent .Values.topologyFile -}}
{{- fail (printf "topologyFile %s and topologyContent are two topology files: leave one of both away" .Values.topologyFile) -}}
{{- end -}}
{{- if and .Values.results.claim .Values.results.create -}}
{{- fail (printf "results.claim %s is a claim that exists, so leave results.create away" .Values.results.claim) -}}
{{- end -}}
{{- end }}
