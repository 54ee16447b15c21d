{{/* The variables that hold the broker's passwords, as nats-authorization.conf names them; takes the root; as YAML. */}}
{{- define "kinora.brokerCredentials" -}}
{{- $credentials := dict -}}
{{- range $user, $credential := .Values.nats.server.passwords -}}
{{- $_ := set $credentials (printf "NATS_PASSWORD_%s" (snakecase $user | upper)) $credential -}}
{{- end -}}
{{- toYaml $credentials -}}
{{- end -}}

{{/* One server: what it stores is a copy of what PostgreSQL knows, so a second one would only save the seconds of its restart. */}}
{{- define "kinora.brokerSettings" -}}
server_name: {{ include "kinora.brokerName" . }}
listen: 0.0.0.0:4222
http: 0.0.0.0:8222
# The fullest page of jobs is well over the default of 1 MB.
max_payload: 8MB
jetstream {
  store_dir: /data
  # An event is acknowledged once it is on the disk.
  sync_interval: always
}
include ./nats-authorization.conf
{{- end -}}
