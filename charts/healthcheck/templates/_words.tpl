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

{{- define "healthcheck.notifyWords" -}}
{{- $notify := .Values.notify -}}
{{- $secret := "/etc/muster/notify" -}}
{{- $words := list "fleet" "tell" .Values.results.mountPath "--oldest" (toString $notify.oldest) "--state" "/told" "--when-in-doubt" $notify.whenInDoubt -}}
{{- range $path, $option := dict "url" "--url-file" "key" "--key-file" "headers" "--header-file" "ca" "--ca" -}}
{{- if get $notify.secretKeys $path }}{{ $words = concat $words (list $option (printf "%s/%s" $secret $path)) }}{{ end -}}
{{- end -}}
{{- with $notify.template }}{{ $words = concat $words (list "--template" .) }}{{ end -}}
{{- if $notify.templateContent }}{{ $words = concat $words (list "--template" "/etc/muster/template/message.json") }}{{ end -}}
{{- with $notify.source }}{{ $words = concat $words (list "--source" .) }}{{ end -}}
{{- ternary (append $words "--redact") $words $notify.redact | toYaml -}}
{{- end }}

{{- define "healthcheck.actWords" -}}
{{- $act := .Values.act -}}
{{- $words := list "fleet" "act" .Values.results.mountPath "--oldest" (toString $act.oldest) "--effect" $act.effect -}}
{{- $words = concat $words (list "--most" (int $act.most | toString) "--most-share" (toString $act.mostShare)) -}}
{{- range $option := list "condition" "events" }}{{ if index $act $option }}{{ $words = append $words (printf "--%s" $option) }}{{ end }}{{ end -}}
{{- with $act.gate }}{{ $words = concat $words (list "--gate" .) }}{{ end -}}
{{- ternary (append $words "--apply") $words $act.apply | toYaml -}}
{{- end }}
