{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{/* Of a pod that asks the API server: root, account, seconds, cpu, memory, words. */}}
{{- define "allreduce.apiPod" -}}
{{- $pod := . -}}
{{- with .root -}}
restartPolicy: Never
serviceAccountName: {{ include "allreduce.name" . }}-{{ $pod.account }}
automountServiceAccountToken: true
enableServiceLinks: false
activeDeadlineSeconds: {{ $pod.seconds }}
terminationGracePeriodSeconds: 5
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
nodeSelector:
  {{- merge (dict "kubernetes.io/os" "linux") .Values.nodeSelector | toYaml | nindent 2 }}
{{- with include "allreduce.affinity" (list . false) }}
affinity:
  {{- . | nindent 2 }}
{{- end }}
{{- with include "allreduce.tolerations" . }}
tolerations:
  {{- . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
containers:
  - name: muster
    image: {{ include "allreduce.image" . }}
    imagePullPolicy: {{ .Values.image.pullPolicy }}
    command: [muster]
    args:
      {{- $pod.words | toYaml | nindent 6 }}
    resources:
      requests: {cpu: {{ $pod.cpu }}, memory: {{ $pod.memory }}}
      limits: {cpu: {{ $pod.cpu }}, memory: {{ $pod.memory }}}
    securityContext:
      allowPrivilegeEscalation: false
      capabilities:
        drop: [ALL]
      readOnlyRootFilesystem: true
    terminationMessagePolicy: FallbackToLogsOnError
    volumeMounts:
      - name: tmp
        mountPath: /tmp
volumes:
  - name: tmp
    emptyDir: {}
{{- end }}
{{- end }}
