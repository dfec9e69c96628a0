{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{/* What all containers of such a Job have. */}}
{{- define "healthcheck.container" -}}
image: {{ include "healthcheck.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
resources:
  {{- with .Values.controllerResources }}
  requests: {cpu: {{ .cpu | quote }}, memory: {{ .memory }}}
  limits: {cpu: {{ .cpu | quote }}, memory: {{ .memory }}}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities:
    drop: [ALL]
  readOnlyRootFilesystem: true
{{- end }}

{{/* The spec of a Job that asks the Kubernetes API: of the night, or of what acts by its report; `notify` asks nothing. `deadline` is in seconds. */}}
{{- define "healthcheck.controller" -}}
{{- with .root -}}
backoffLimit: 0
activeDeadlineSeconds: {{ $.deadline }}
template:
  metadata:
    labels:
      {{- include "healthcheck.labels" . | nindent 6 }}
      app.kubernetes.io/component: {{ $.component }}
    {{- with .Values.podAnnotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  spec:
    restartPolicy: Never
    serviceAccountName: {{ include "healthcheck.name" . }}-{{ $.component }}
    automountServiceAccountToken: {{ ne $.component "notify" }}
    enableServiceLinks: false
    terminationGracePeriodSeconds: 40
    {{- with .Values.imagePullSecrets }}
    imagePullSecrets:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    nodeSelector:
      kubernetes.io/os: linux
    {{- with .Values.tolerations }}
    tolerations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    securityContext:
      runAsNonRoot: true
      runAsUser: 1000
      runAsGroup: 1000
      fsGroup: 1000
      fsGroupChangePolicy: OnRootMismatch
      seccompProfile:
        type: RuntimeDefault
    {{- if eq $.component "notify" }}
    {{- /* The kubelet would make it for root, where a volume such as NFS takes no group. */}}
    initContainers:
      - name: folder
        {{- include "healthcheck.container" . | nindent 8 }}
        command: [mkdir, -p, {{ .Values.results.mountPath }}/told]
        volumeMounts:
          - name: results
            mountPath: {{ .Values.results.mountPath }}
    {{- end }}
    containers:
      - name: muster
        {{- include "healthcheck.container" . | nindent 8 }}
        command: [muster]
        args:
          {{- include (printf "healthcheck.%sWords" $.component) . | nindent 10 }}
        {{- if eq $.component "night" }}
        env:
          - name: JOB
            valueFrom:
              fieldRef:
                fieldPath: metadata.labels['job-name']
          - name: POD
            valueFrom:
              fieldRef:
                fieldPath: metadata.name
          - name: POD_UID
            valueFrom:
              fieldRef:
                fieldPath: metadata.uid
        {{- end }}
        terminationMessagePolicy: FallbackToLogsOnError
        volumeMounts:
          {{- if eq $.component "night" }}
          - name: night
            mountPath: /etc/muster/night
          {{- end }}
          {{- if eq $.component "notify" }}
          - name: secret
            mountPath: /etc/muster/notify
            readOnly: true
          {{- if .Values.notify.templateContent }}
          - name: template
            mountPath: /etc/muster/template
            readOnly: true
          {{- end }}
          - name: results
            mountPath: /told
            subPath: told
          {{- end }}
          - name: tmp
            mountPath: /tmp
          - name: results
            mountPath: {{ .Values.results.mountPath }}
            readOnly: {{ ne $.component "night" }}
    volumes:
      {{- if eq $.component "night" }}
      - name: night
        configMap:
          name: {{ include "healthcheck.name" . }}
          items:
            - key: pod.json
              path: pod.json
      {{- end }}
      {{- if eq $.component "notify" }}
      - name: secret
        secret:
          secretName: {{ .Values.notify.secret }}
          defaultMode: 288
          items:
            {{- range $path, $key := .Values.notify.secretKeys }}
            {{- if $key }}
            - {key: {{ $key | quote }}, path: {{ $path }}}
            {{- end }}
            {{- end }}
      {{- if .Values.notify.templateContent }}
      - name: template
        configMap:
          name: {{ include "healthcheck.name" . }}
          items:
            - key: message.json
              path: message.json
      {{- end }}
      {{- end }}
      - name: tmp
        emptyDir: {}
      - name: results
        {{- if or .Values.results.claim .Values.results.create }}
        persistentVolumeClaim:
          claimName: {{ .Values.results.claim | default (printf "%s-results" (include "healthcheck.name" .)) }}
        {{- else }}
        emptyDir: {}
        {{- end }}
{{- end }}
{{- end }}

{{/* A CronJob's spec. */}}
{{- define "healthcheck.schedule" -}}
{{- with .root -}}
schedule: {{ $.schedule | quote }}
{{- with .Values.timeZone }}
timeZone: {{ . }}
{{- end }}
suspend: {{ .Values.suspend }}
concurrencyPolicy: Forbid
successfulJobsHistoryLimit: {{ int .Values.history }}
failedJobsHistoryLimit: {{ int .Values.history }}
jobTemplate:
  metadata:
    labels:
      {{- include "healthcheck.labels" . | nindent 6 }}
  spec:
    {{- include "healthcheck.controller" $ | nindent 4 }}
{{- end }}
{{- end }}
