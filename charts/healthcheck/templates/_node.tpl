{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{- define "healthcheck.adapters" -}}
{{- if not .Values.rdma.resource }}0
{{- else if hasKey .Values.rdma "count" }}{{ int .Values.rdma.count }}
{{- else }}{{ int .Values.gpusPerNode }}{{ end }}
{{- end }}

{{/* Whether pods run as root with IPC_LOCK, which Kubernetes gives to no other user. */}}
{{- define "healthcheck.rdma" -}}
{{- if eq .Values.security "rdma" }}true{{ else if and (eq .Values.security "auto") (gt (include "healthcheck.adapters" . | int) 0) }}true{{ end }}
{{- end }}

{{/* Requests, which are limits too. */}}
{{- define "healthcheck.resources" -}}
{{- $all := dict -}}
{{- with .Values.resources.cpu }}{{- $_ := set $all "cpu" (toString .) }}{{ end -}}
{{- with .Values.resources.memory }}{{- $_ := set $all "memory" . }}{{ end -}}
{{- with int .Values.gpusPerNode }}{{- $_ := set $all $.Values.gpuResource (toString .) }}{{ end -}}
{{- with include "healthcheck.adapters" . | int }}{{- $_ := set $all $.Values.rdma.resource (toString .) }}{{ end -}}
{{- with $all }}{{ dict "requests" . "limits" . | toYaml }}{{ else }}{}{{ end }}
{{- end }}

{{- define "healthcheck.tolerations" -}}
{{- $all := .Values.tolerations -}}
{{- range list "muster/unfit" .Values.act.gate .Values.act.readinessRule | compact -}}
{{- $all = append $all (dict "key" . "operator" "Exists") -}}
{{- end -}}
{{- if gt (int .Values.gpusPerNode) 0 -}}
{{- $all = append $all (dict "key" .Values.gpuResource "operator" "Exists") -}}
{{- $all = append $all (dict "key" "sku" "operator" "Equal" "value" "gpu") -}}
{{- end -}}
{{ toYaml $all }}
{{- end }}

{{- define "healthcheck.words" -}}
{{- $values := .Values -}}
{{- $words := list "node" "--report" "/tmp/muster-report.json" "--summary" "/dev/termination-log" "--tier" $values.tier -}}
{{- $words = concat $words (list "--profile" (ternary "/etc/muster/files/profile.json" $values.profile (ne $values.profileContent ""))) -}}
{{- with $values.only }}{{ $words = concat $words (list "--only" (join "," .)) }}{{ end -}}
{{- with $values.skip }}{{ $words = concat $words (list "--skip" (join "," .)) }}{{ end -}}
{{- concat $words $values.nodeArguments | toYaml -}}
{{- end }}

{{/* The pod of a node, to which the night gives a name and its node. */}}
{{- define "healthcheck.node" -}}
apiVersion: v1
kind: Pod
metadata:
  labels:
    {{- include "healthcheck.labels" . | nindent 4 }}
    app.kubernetes.io/component: node
  {{- $annotations := .Values.podAnnotations }}
  {{- with .Values.queue }}{{ $annotations = merge (dict "scheduling.volcano.sh/queue-name" .) $annotations }}{{ end }}
  {{- with $annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- if .Values.queue }}
  schedulerName: volcano
  {{- end }}
  restartPolicy: Never
  serviceAccountName: {{ include "healthcheck.name" . }}-node
  automountServiceAccountToken: false
  enableServiceLinks: false
  activeDeadlineSeconds: {{ int .Values.nodeDeadline }}
  terminationGracePeriodSeconds: 15
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.runtimeClassName }}
  runtimeClassName: {{ . }}
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  tolerations:
    {{- include "healthcheck.tolerations" . | nindent 4 }}
  securityContext:
    {{- if include "healthcheck.rdma" . }}
    runAsUser: 0
    runAsGroup: 0
    {{- else }}
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    {{- end }}
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: muster
      image: {{ include "healthcheck.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: [muster]
      args:
        {{- include "healthcheck.words" . | nindent 8 }}
      resources:
        {{- include "healthcheck.resources" . | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        capabilities:
          drop: [ALL]
          {{- if include "healthcheck.rdma" . }}
          add: [IPC_LOCK]
          {{- end }}
        readOnlyRootFilesystem: true
      terminationMessagePath: /dev/termination-log
      terminationMessagePolicy: FallbackToLogsOnError
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- if .Values.shmSize }}
        - name: shm
          mountPath: /dev/shm
        {{- end }}
        {{- if .Values.profileContent }}
        - name: files
          mountPath: /etc/muster/files
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- with .Values.shmSize }}
    - name: shm
      emptyDir:
        medium: Memory
        sizeLimit: {{ . }}
    {{- end }}
    {{- if .Values.profileContent }}
    - name: files
      configMap:
        name: {{ include "healthcheck.name" . }}
        items:
          - key: profile.json
            path: profile.json
    {{- end }}
{{- end }}
