{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{- define "scratch.name" -}}
{{ .Values.fullnameOverride | default .Release.Name }}
{{- end }}

{{- define "scratch.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "scratch.labels" -}}
{{ include "scratch.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "scratch.image" -}}
{{- $image := .Values.image -}}
{{- $path := list .Values.registryPrefix $image.repository | compact | join "/" -}}
{{- if $image.digest }}{{ $path }}@{{ $image.digest }}{{ else }}{{ $path }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}
