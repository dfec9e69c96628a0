{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{- define "healthcheck.nightWords" -}}
{{- $values := .Values -}}
{{- $words := list "fleet" "night" "--pod" "/etc/muster/night/pod.json" "--name" "$(JOB)" "--owner" "$(POD)" "--owner-uid" "$(POD_UID)" -}}
{{- $labels := list -}}
{{- range $name, $value := $values.nodes.selector }}{{ $labels = append $labels (printf "%s=%s" $name $value) }}{{ end -}}
{{- with $labels }}{{ $words = concat $words (list "--selector" (join "," .)) }}{{ end -}}
{{- with $values.nodes.expected }}{{ $words = concat $words (list "--nodes" .) }}{{ end -}}
{{- range $option, $number := dict "--at-once" $values.atOnce "--busy-wait" $values.busyWait "--deadline" $values.deadline -}}
{{- $words = concat $words (list $option (int $number | toString)) -}}
{{- end -}}
{{- if or $values.results.claim $values.results.create }}{{ $words = concat $words (list "--previous" $values.results.mountPath) }}{{ end -}}
{{- concat $words (list "--when-busy" $values.whenBusy "--report" (printf "%s/$(JOB).json" $values.results.mountPath)) | toYaml -}}
{{- end }}

{{/* A Job's spec. */}}
{{- define "healthcheck.night" -}}
backoffLimit: 0
activeDeadlineSeconds: {{ add (int .Values.deadline) 120 }}
template:
  metadata:
    labels:
      {{- include "healthcheck.labels" . | nindent 6 }}
      app.kubernetes.io/component: night
    {{- with .Values.podAnnotations }}
    annotations:
      {{- toYaml . | nindent 6 }}
    {{- end }}
  spec:
    restartPolicy: Never
    serviceAccountName: {{ include "healthcheck.name" . }}-night
    automountServiceAccountToken: true
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
    containers:
      - name: muster
        image: {{ include "healthcheck.image" . }}
        imagePullPolicy: {{ .Values.image.pullPolicy }}
        command: [muster]
        args:
          {{- include "healthcheck.nightWords" . | nindent 10 }}
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
        terminationMessagePolicy: FallbackToLogsOnError
        volumeMounts:
          - name: night
            mountPath: /etc/muster/night
          - name: tmp
            mountPath: /tmp
          - name: results
            mountPath: {{ .Values.results.mountPath }}
    volumes:
      - name: night
        configMap:
          name: {{ include "healthcheck.name" . }}
          items:
            - key: pod.json
              path: pod.json
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
