{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{/* Seconds until a run is over, whatever happens. */}}
{{- define "allreduce.longest" -}}
{{ add .Values.pendingTimeout .Values.wait .Values.deadline 120 }}
{{- end }}

{{/* Whether pods run as root with IPC_LOCK, which Kubernetes gives to no other user. */}}
{{- define "allreduce.rdma" -}}
{{- if eq .Values.security "rdma" }}true{{ else if and (eq .Values.security "auto") (gt (include "allreduce.adapters" . | int) 0) }}true{{ end }}
{{- end }}

{{- define "allreduce.adapters" -}}
{{- if not .Values.rdma.resource }}0
{{- else if hasKey .Values.rdma "count" }}{{ int .Values.rdma.count }}
{{- else }}{{ int .Values.gpusPerNode }}{{ end }}
{{- end }}

{{- define "allreduce.ranks" -}}
{{ .Values.gpusPerNode | int | default (int .Values.ranksPerNode) }}
{{- end }}

{{/* Of a worker; AzureML's nodes keep a part for themselves. */}}
{{- define "allreduce.memory" -}}
{{- $memory := .Values.resources.memory -}}
{{- if and $memory .Values.azureml.enabled -}}
{{ div (mul (include "allreduce.mebibytes" $memory | int64) (sub 100 .Values.azureml.memoryReservePercent)) 100 }}Mi
{{- else }}{{ $memory }}{{ end }}
{{- end }}

{{/* Requests, which are limits too: [context, whether with what a worker has]. */}}
{{- define "allreduce.resources" -}}
{{- $root := index . 0 -}}
{{- $values := $root.Values -}}
{{- $of := ternary $values.resources $values.launcherResources (index . 1) -}}
{{- $all := dict -}}
{{- with $of.cpu }}{{- $_ := set $all "cpu" (include "allreduce.text" .) }}{{ end -}}
{{- with ternary (include "allreduce.memory" $root) $of.memory (index . 1) }}{{- $_ := set $all "memory" . }}{{ end -}}
{{- if index . 1 -}}
{{- with int $values.gpusPerNode }}{{- $_ := set $all $values.gpuResource (toString .) }}{{ end -}}
{{- with include "allreduce.adapters" $root | int }}{{- $_ := set $all $values.rdma.resource (toString .) }}{{ end -}}
{{- end -}}
{{- with $all }}{{ dict "requests" . "limits" . | toYaml }}{{ else }}{}{{ end }}
{{- end }}

{{/* Cores of a worker for each of its ranks, at least one. */}}
{{- define "allreduce.threads" -}}
{{- $cpu := toString .Values.resources.cpu -}}
{{- $cores := ternary (div (trimSuffix "m" $cpu | int) 1000) (float64 $cpu | floor | int) (hasSuffix "m" $cpu) -}}
{{ max 1 (div $cores (include "allreduce.ranks" .)) }}
{{- end }}

{{- define "allreduce.env" -}}
{{- $values := .Values -}}
{{- $env := dict -}}
{{- if $values.azureml.enabled -}}
{{- range list "OMP_NUM_THREADS" "MKL_NUM_THREADS" "NUMEXPR_NUM_THREADS" }}{{- $_ := set $env . (include "allreduce.threads" $) }}{{ end -}}
{{- end -}}
{{- range $name, $value := merge (dict) $values.mpi $values.nccl }}{{- $_ := set $env $name (include "allreduce.text" $value) }}{{ end -}}
{{- range $name, $value := $env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "allreduce.tolerations" -}}
{{- $all := .Values.tolerations -}}
{{- if gt (int .Values.gpusPerNode) 0 -}}
{{- $all = append $all (dict "key" .Values.gpuResource "operator" "Exists") -}}
{{- $all = append $all (dict "key" "sku" "operator" "Equal" "value" "gpu") -}}
{{- end -}}
{{- if .Values.azureml.enabled -}}
{{- $keys := list "amlarc" "amlarc-workload" "resource-group" "workspace" "compute" -}}
{{- if .Values.azureml.system }}{{ $keys = append $keys "amlarc-system" }}{{ end -}}
{{- range $keys }}{{ $all = append $all (dict "key" (printf "ml.azure.com/%s" .) "operator" "Exists") }}{{ end -}}
{{- end -}}
{{- with $all }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* Workers that are not together on a node: [context, whether of a worker]. */}}
{{- define "allreduce.affinity" -}}
{{- $root := index . 0 -}}
{{- $affinity := deepCopy $root.Values.affinity -}}
{{- if and (index . 1) (eq $root.Values.launcher "volcano") (ne $root.Values.spread "none") (not (hasKey $affinity "podAntiAffinity")) -}}
{{- $labels := dict "volcano.sh/job-name" (include "allreduce.job" $root) "app.kubernetes.io/component" "worker" -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" $labels) -}}
{{- if eq $root.Values.spread "required" -}}
{{- $_ := set $affinity "podAntiAffinity" (dict "requiredDuringSchedulingIgnoredDuringExecution" (list $term)) -}}
{{- else -}}
{{- $preferred := dict "weight" 100 "podAffinityTerm" $term -}}
{{- $_ := set $affinity "podAntiAffinity" (dict "preferredDuringSchedulingIgnoredDuringExecution" (list $preferred)) -}}
{{- end -}}
{{- end -}}
{{- with $affinity }}{{ toYaml . }}{{ end }}
{{- end }}

{{/* A name is that of a file in the image. */}}
{{- define "allreduce.topology" -}}
{{- if .Values.topologyContent }}/etc/muster/files/topology.xml
{{- else if contains "/" .Values.topologyFile }}{{ .Values.topologyFile }}
{{- else if .Values.topologyFile }}/usr/share/muster/topology/{{ .Values.topologyFile }}{{ end }}
{{- end }}

{{/* The launcher's words: [context, whether there are workers]. */}}
{{- define "allreduce.launch" -}}
{{- $root := index . 0 -}}
{{- $values := $root.Values -}}
{{- $words := list "launch" "--ranks-on-each" (include "allreduce.ranks" $root) -}}
{{- if index . 1 -}}
{{- $words = concat $words (list "--task" "worker" "--port" (int $values.sshPort | toString) "--keys" "/etc/muster/ssh" "--wait" (int $values.wait | toString)) -}}
{{- end -}}
{{- $words = concat $words (list "--deadline" (int $values.deadline | toString)) -}}
{{- with $values.interface }}{{ $words = concat $words (list "--interface" .) }}{{ end -}}
{{- $report := printf "%s/%s.json" $values.results.mountPath (include "allreduce.job" $root) -}}
{{- $words = concat $words (list "--report" $report "--summary" "/dev/termination-log" "--tier" $values.tier) -}}
{{- $words = concat $words (list "--profile" (ternary "/etc/muster/files/profile.json" $values.profile (ne $values.profileContent ""))) -}}
{{- with include "allreduce.topology" $root }}{{ $words = concat $words (list "--topology" .) }}{{ end -}}
{{- $words = append $words (ternary "allreduce" "host_allreduce" (gt (int $values.gpusPerNode) 0)) -}}
{{- $words = concat $words (list "--operation" $values.operation) -}}
{{- range $option, $size := dict "-b" $values.sizes.min "-e" $values.sizes.max "-f" $values.sizes.factor -}}
{{- with $size }}{{ $words = concat $words (list $option (include "allreduce.text" .)) }}{{ end -}}
{{- end -}}
{{- concat $words $values.checkArguments | toYaml -}}
{{- end }}

{{/* What every container may do, of the test too. */}}
{{- define "allreduce.podSecurity" -}}
{{- if include "allreduce.rdma" . -}}
runAsUser: 0
runAsGroup: 0
{{- else -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
{{- end }}
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "allreduce.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
  {{- if include "allreduce.rdma" . }}
  add: [IPC_LOCK, SETGID, SETUID, SYS_CHROOT]
  {{- end }}
readOnlyRootFilesystem: true
{{- end }}

{{/* The pod of a launcher with workers (role "launcher"), of a worker, or of a launcher alone on its node ("alone"). */}}
{{- define "allreduce.pod" -}}
{{- $role := .role -}}
{{- with .root -}}
{{- $measures := ne $role "launcher" -}}
metadata:
  labels:
    {{- include "allreduce.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ ternary "worker" "launcher" (eq $role "worker") }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  restartPolicy: Never
  serviceAccountName: {{ include "allreduce.name" . }}-run
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- if eq $role "worker" }}
  activeDeadlineSeconds: {{ include "allreduce.longest" . }}
  terminationGracePeriodSeconds: 5
  {{- else }}
  activeDeadlineSeconds: {{ add (int .Values.deadline) 60 }}
  terminationGracePeriodSeconds: 15
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- if and $measures .Values.runtimeClassName }}
  runtimeClassName: {{ .Values.runtimeClassName }}
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  nodeSelector:
    {{- merge (dict "kubernetes.io/os" "linux") .Values.nodeSelector | toYaml | nindent 4 }}
  {{- with include "allreduce.affinity" (list . (eq $role "worker")) }}
  affinity:
    {{- . | nindent 4 }}
  {{- end }}
  {{- with include "allreduce.tolerations" . }}
  tolerations:
    {{- . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "allreduce.podSecurity" . | nindent 4 }}
  containers:
    - name: muster
      image: {{ include "allreduce.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: [muster]
      args:
        {{- if eq $role "worker" }}
        {{- list "worker" "--port" (int .Values.sshPort | toString) "--keys" "/etc/muster/ssh" | toYaml | nindent 8 }}
        {{- else }}
        {{- include "allreduce.launch" (list . (eq $role "launcher")) | nindent 8 }}
        {{- end }}
      {{- with include "allreduce.env" . | trim }}
      env:
        {{- . | nindent 8 }}
      {{- end }}
      resources:
        {{- include "allreduce.resources" (list . $measures) | nindent 8 }}
      {{- if eq $role "worker" }}
      ports:
        - name: ssh
          containerPort: {{ int .Values.sshPort }}
      # Ready means that it has answered once: nothing looks again while there are measurements.
      startupProbe:
        exec:
          command: [muster, probe, --port, {{ int .Values.sshPort | quote }}]
        periodSeconds: 1
        timeoutSeconds: 5
        failureThreshold: {{ int .Values.wait }}
      {{- end }}
      securityContext:
        {{- include "allreduce.containerSecurity" . | nindent 8 }}
      terminationMessagePath: /dev/termination-log
      terminationMessagePolicy: FallbackToLogsOnError
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- if and $measures .Values.shmSize }}
        - name: shm
          mountPath: /dev/shm
        {{- end }}
        {{- if ne $role "worker" }}
        - name: results
          mountPath: {{ .Values.results.mountPath }}
        {{- end }}
        {{- if or .Values.profileContent .Values.topologyContent }}
        - name: files
          mountPath: /etc/muster/files
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if and $measures .Values.shmSize }}
    - name: shm
      emptyDir:
        medium: Memory
        sizeLimit: {{ .Values.shmSize }}
    {{- end }}
    {{- if ne $role "worker" }}
    - name: results
      {{- if or .Values.results.claim .Values.results.create }}
      persistentVolumeClaim:
        claimName: {{ .Values.results.claim | default (printf "%s-results" (include "allreduce.name" .)) }}
      {{- else }}
      emptyDir: {}
      {{- end }}
    {{- end }}
    {{- if or .Values.profileContent .Values.topologyContent }}
    - name: files
      configMap:
        name: {{ include "allreduce.job" . }}
    {{- end }}
{{- end }}
{{- end }}
