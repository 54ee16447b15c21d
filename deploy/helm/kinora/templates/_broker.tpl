{{/* The variables that hold the broker's passwords, as nats-authorization.conf names them; takes the root; as YAML. */}}
{{- define "kinora.brokerCredentials" -}}
{{- $credentials := dict -}}
{{- range $user, $credential := .Values.nats.server.passwords -}}
{{- if or $.Values.console.enabled (not (hasPrefix "console" $user)) -}}
{{- $_ := set $credentials (printf "NATS_PASSWORD_%s" (snakecase $user | upper)) $credential -}}
{{- end -}}
{{- end -}}
{{- toYaml $credentials -}}
{{- end -}}

{{/* The users of the console only where it is installed: the broker does not start if a password is missing. */}}
{{- define "kinora.brokerUsers" -}}
{{- $users := .Files.Get "files/nats-authorization.conf" -}}
{{- if .Values.console.enabled -}}
{{- $users -}}
{{- else -}}
{{- regexReplaceAll "(?s)    \\{\n      user: console-[a-z]+\n.*?\n    \\}\n" $users "" -}}
{{- end -}}
{{- end -}}

{{/* One server: what it stores is a copy of what PostgreSQL knows, so a second one would only save the seconds of its restart. */}}
{{- define "kinora.brokerSettings" -}}
server_name: {{ include "kinora.brokerName" . }}
{{- $host := ternary "[::]" "0.0.0.0" (has "IPv6" .Values.service.ipFamilies) }}
listen: "{{ $host }}:4222"
http: "{{ $host }}:8222"
# The fullest page of jobs is well over the default of 1 MB.
max_payload: 8MB
jetstream {
  store_dir: /data
  # An event is acknowledged once it is on the disk.
  sync_interval: always
}
include ./nats-authorization.conf
{{- end -}}

{{/* TLS to a broker elsewhere, from one Secret; each part takes the root. The services read the files at each connection. */}}
{{- define "kinora.brokerTlsVariables" -}}
{{- if .Values.nats.tls.existingSecret }}
{{- range $variable, $key := dict "NATS_CA" .Values.nats.tls.caKey "NATS_CERT" .Values.nats.tls.certKey "NATS_KEY" .Values.nats.tls.keyKey }}
{{- if $key }}
- { name: {{ $variable }}, value: /run/secrets/nats-tls/{{ $key }} }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "kinora.brokerTlsMount" -}}
{{- if .Values.nats.tls.existingSecret }}
- { name: nats-tls, mountPath: /run/secrets/nats-tls, readOnly: true }
{{- end }}
{{- end -}}

{{- define "kinora.brokerTlsVolume" -}}
{{- with .Values.nats.tls.existingSecret }}
# 0440
- { name: nats-tls, secret: { secretName: {{ . }}, defaultMode: 288 } }
{{- end }}
{{- end -}}
