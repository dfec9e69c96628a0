{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{- define "labeler.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{/* Of what is in no namespace. */}}
{{- define "labeler.clusterName" -}}
{{ include "labeler.name" . }}.{{ .Release.Namespace }}
{{- end }}

{{- define "labeler.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "labeler.labels" -}}
{{ include "labeler.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "labeler.image" -}}
{{- $image := .Values.image -}}
{{- $path := list .Values.registryPrefix $image.repository | compact | join "/" -}}
{{- if $image.digest }}{{ $path }}@{{ $image.digest }}{{ else }}{{ $path }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}
