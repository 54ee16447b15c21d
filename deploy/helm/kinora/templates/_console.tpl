{{/* Where browsers reach one half of the console; takes component. Without an address of its own it is that of `kubectl port-forward`. */}}
{{- define "kinora.consoleUrl" -}}
{{- $values := .component.values -}}
{{- if $values.url -}}
{{- trimSuffix "/" $values.url -}}
{{- else if $values.ingress.enabled -}}
{{- printf "%s://%s" (ternary "https" "http" (ne $values.ingress.tlsSecretName "")) $values.ingress.host -}}
{{- else if dig "gatewayApi" "enabled" false $values -}}
{{- printf "https://%s" $values.gatewayApi.host -}}
{{- else -}}
{{- printf "http://127.0.0.1:%d" (int .component.port) -}}
{{- end -}}
{{- end -}}

{{/* The variables of one half of the console; takes root and component. */}}
{{- define "kinora.consoleEnvironment" -}}
- { name: KINORA_CONSOLE_ROLE, value: {{ .component.half }} }
- { name: KINORA_CONSOLE_HOST, value: {{ include "kinora.listenHost" .root | quote }} }
- { name: KINORA_CONSOLE_PORT, value: {{ int .component.port | quote }} }
- { name: KINORA_CONSOLE_URL, value: {{ include "kinora.consoleUrl" . | quote }} }
- { name: KINORA_CONSOLE_GATEWAY_URL, value: {{ include "kinora.gatewayUrl" .root | quote }} }
- { name: KINORA_PUBLIC_URL, value: {{ include "kinora.publicUrl" .root | quote }} }
{{- with dig "config" "KINORA_SIGN_UP" "" .root.Values.billing }}
- { name: KINORA_SIGN_UP, value: {{ . | quote }} }
{{- end }}
{{- if not (hasKey .component.values.config "KINORA_CONSOLE_FILE_ORIGINS") }}
{{- with include "kinora.fileOrigins" . }}
- { name: KINORA_CONSOLE_FILE_ORIGINS, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end -}}

{{/*
Where the console finds files whose links name an address for clients: at the gateway for a volume, and at the endpoint for a bucket. A
bucket is in the path of its links, or before the host of the endpoint. Empty where it uses links as they are. Takes root and component.
*/}}
{{- define "kinora.fileOrigins" -}}
{{- $storage := .root.Values.storage -}}
{{- if .component.half -}}
{{- if eq $storage.driver "filesystem" -}}
{{- printf "%s=%s" (include "kinora.publicUrl" .root) (include "kinora.gatewayUrl" .root) -}}
{{- else if and $storage.s3.endpoint $storage.s3.publicEndpoint (ne $storage.s3.endpoint $storage.s3.publicEndpoint) -}}
{{- $public := trimSuffix "/" $storage.s3.publicEndpoint -}}
{{- if not $storage.s3.pathStyle -}}
{{- $public = replace "://" (printf "://%s." $storage.s3.bucket) $public -}}
{{- end -}}
{{- printf "%s=%s" $public (trimSuffix "/" $storage.s3.endpoint) -}}
{{- end -}}
{{- end -}}
{{- end -}}
