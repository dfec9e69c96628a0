{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}

{{/* Of a pod that asks the API server: [context, account, seconds, cores, memory, words]. */}}
{{- define "allreduce.apiPod" -}}
{{- $words := index . 5 -}}
{{- $resources := dict "cpu" (index . 3) "memory" (index . 4) -}}
{{- $account := index . 1 -}}
{{- $seconds := index . 2 -}}
{{- with index . 0 -}}
restartPolicy: Never
serviceAccountName: {{ include "allreduce.name" . }}-{{ $account }}
automountServiceAccountToken: true
enableServiceLinks: false
activeDeadlineSeconds: {{ $seconds }}
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
      {{- $words | toYaml | nindent 6 }}
    resources:
      {{- dict "requests" $resources "limits" $resources | toYaml | nindent 6 }}
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
