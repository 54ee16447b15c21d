{{/* All addresses of the pod. "::" takes those of IPv4 as well, but a node without IPv6 refuses it. */}}
{{- define "kinora.listenHost" -}}
{{ ternary "::" "0.0.0.0" (has "IPv6" .Values.service.ipFamilies) }}
{{- end -}}

{{/* The variables of one component; takes root and component. */}}
{{- define "kinora.environment" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{ include "kinora.secretVariables" (dict "root" $root "credentials" (include "kinora.componentCredentials" . | fromYaml)) | trim }}
{{- if $component.nats }}
{{- include "kinora.brokerTlsVariables" $root }}
- { name: KINORA_PROFILE, value: {{ $root.Values.profile }} }
- { name: KINORA_HEALTH_HOST, value: {{ include "kinora.listenHost" $root | quote }} }
- { name: KINORA_HEALTH_PORT, value: '9090' }
- { name: KINORA_NATS_STREAM_REPLICAS, value: {{ int $root.Values.nats.stream.replicas | quote }} }
- { name: KINORA_DRAIN_SECONDS, value: {{ $component.values.drainSeconds | quote }} }
{{- end }}
{{- if ne $component.key "mcp" }}
- { name: LOG_LEVEL, value: {{ $root.Values.logLevel }} }
{{- end }}
{{- with $root.Values.telemetry.traces }}
{{- if and $component.nats .endpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ .endpoint | quote }} }
- { name: OTEL_TRACES_SAMPLER_ARG, value: {{ include "kinora.text" .sampleRatio | quote }} }
{{- end }}
{{- end }}
{{- if $component.database }}
- { name: DATABASE_POOLER, value: {{ $root.Values.postgres.pooler }} }
{{- end }}
{{- if $component.operatorFiles }}
- { name: KINORA_CONFIG_DIR, value: {{ ternary "/etc/kinora" "" (include "kinora.hasOperatorFiles" $root | eq "true") | quote }} }
{{- end }}
{{- if or $component.public $component.role }}
- { name: KINORA_PUBLIC_URL, value: {{ include "kinora.publicUrl" $root | quote }} }
{{- end }}
{{- if $component.public }}
- { name: KINORA_HOST, value: {{ include "kinora.listenHost" $root | quote }} }
- { name: KINORA_PORT, value: '8080' }
{{- end }}
{{- with $component.role }}
- { name: JOBS_ROLES, value: {{ . }} }
{{- with include "kinora.sandboxUrl" $root }}
- { name: KINORA_SANDBOX_URL, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- if eq $component.key "sandbox" }}
- { name: SANDBOX_HOST, value: {{ include "kinora.listenHost" $root | quote }} }
- { name: SANDBOX_PORT, value: '8090' }
{{- end }}
{{- if $component.half }}
{{ include "kinora.consoleEnvironment" . | trim }}
{{- end }}
{{- if and (eq $component.key "billing") (not (hasKey $component.values.config "KINORA_MAIL_CONSOLE_URL")) }}
{{- with index (include "kinora.components" $root | fromYaml) "consoleCustomer" }}
- { name: KINORA_MAIL_CONSOLE_URL, value: {{ include "kinora.consoleUrl" (dict "component" .) | quote }} }
{{- end }}
{{- end }}
{{- if eq $component.key "mcp" }}
- { name: KINORA_MCP_TRANSPORT, value: http }
- { name: KINORA_MCP_HOST, value: {{ include "kinora.listenHost" $root | quote }} }
- { name: KINORA_MCP_PORT, value: {{ int $component.port | quote }} }
- { name: KINORA_BASE_URL, value: {{ include "kinora.gatewayUrl" $root }}/v1 }
{{- end }}
{{- if $component.objects }}
{{ include "kinora.objectStoreEnvironment" $root }}
{{- end }}
{{- range $name, $value := $component.values.config }}
- { name: {{ $name }}, value: {{ include "kinora.text" $value | quote }} }
{{- end }}
{{- with $component.values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Helm reads every number of a values file as a float, and would write 268435456 as 2.68435456e+08. */}}
{{- define "kinora.text" -}}
{{- if kindIs "float64" . -}}
{{- if eq (floor .) . -}}{{- int64 . -}}{{- else -}}{{- . -}}{{- end -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{- define "kinora.objectStoreEnvironment" -}}
{{- $storage := .Values.storage -}}
- { name: KINORA_OBJECT_STORE, value: {{ $storage.driver }} }
{{- if eq $storage.driver "filesystem" }}
- { name: KINORA_OBJECT_STORE_DIR, value: /var/lib/kinora/objects }
{{- else }}
- { name: KINORA_S3_BUCKET, value: {{ $storage.s3.bucket | quote }} }
- { name: KINORA_S3_REGION, value: {{ $storage.s3.region | quote }} }
- { name: KINORA_S3_ENDPOINT, value: {{ $storage.s3.endpoint | quote }} }
- { name: KINORA_S3_PUBLIC_ENDPOINT, value: {{ $storage.s3.publicEndpoint | quote }} }
- { name: KINORA_S3_PATH_STYLE, value: {{ $storage.s3.pathStyle | quote }} }
- { name: KINORA_S3_PREFIX, value: {{ $storage.s3.prefix | quote }} }
{{- end }}
{{- end -}}

{{/*
What a pod reads at its start only, so that it restarts if that has changed: its credentials in the clear, and the operator's files. `lookup`
finds nothing where Helm renders without a cluster. Takes root and component.
*/}}
{{- define "kinora.readAtStart" -}}
{{- $inline := include "kinora.inlineCredentials" .root | fromYaml -}}
{{- range include "kinora.componentCredentials" . | fromYaml -}}
{{- printf "%s\n" (index $inline .secretKey | toString) -}}
{{- end -}}
{{- if .component.operatorFiles -}}
{{- toYaml .root.Values.operatorFiles -}}
{{- with .root.Values.existingOperatorFilesConfigMap -}}
{{- $existing := lookup "v1" "ConfigMap" $.root.Release.Namespace . | default dict -}}
{{- pick $existing "data" "binaryData" | toYaml -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Takes root and component. */}}
{{- define "kinora.deploymentAnnotations" -}}
{{- $existing := .root.Values.existingOperatorFilesConfigMap -}}
{{- $own := dict -}}
{{- if and .component.operatorFiles $existing -}}
{{- $_ := set $own "configmap.reloader.stakater.com/reload" $existing -}}
{{- end -}}
{{- with mustMerge (deepCopy .component.values.deploymentAnnotations) $own -}}
{{- toYaml . -}}
{{- end -}}
{{- end -}}

{{- define "kinora.hasOperatorFiles" -}}
{{- if or .Values.operatorFiles .Values.existingOperatorFilesConfigMap -}}true{{- else -}}false{{- end -}}
{{- end -}}

{{- define "kinora.operatorFilesName" -}}
{{- default (printf "%s-operator-files" (include "kinora.fullname" .)) .Values.existingOperatorFilesConfigMap -}}
{{- end -}}
