{{- define "kinora.ownSecretName" -}}
{{ include "kinora.fullname" . }}-credentials
{{- end -}}

{{/* A variable out of a Secret; takes root, credential and env. */}}
{{- define "kinora.secretVariable" -}}
- name: {{ .env }}
  valueFrom:
    secretKeyRef:
      name: {{ include "kinora.secretName" . }}
      key: {{ .credential.secretKey }}
{{- end -}}

{{- define "kinora.secretName" -}}
{{- if .credential.existingSecret -}}
{{- .credential.existingSecret -}}
{{- else if .credential.value -}}
{{- include "kinora.ownSecretName" .root -}}
{{- else -}}
{{- required "Name a Secret in secrets.existingSecret, or one for each credential." .root.Values.secrets.existingSecret -}}
{{- end -}}
{{- end -}}

{{/* Those that stand in the values in the clear, by their keys; as YAML. */}}
{{- define "kinora.inlineCredentials" -}}
{{- $inline := dict -}}
{{- $values := .Values -}}
{{- $groups := list (omit $values.secrets "existingSecret") $values.postgres.perContext $values.nats.perService -}}
{{- $groups = append $groups (pick $values.storage.s3 "accessKeyId" "secretAccessKey") -}}
{{- range $groups -}}
{{- range $name, $credential := . -}}
{{- if and $credential.value (not $credential.existingSecret) -}}
{{- $_ := set $inline $credential.secretKey $credential.value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $inline -}}
{{- end -}}
