{{- define "kinora.ownSecretName" -}}
{{ include "kinora.fullname" . }}-credentials
{{- end -}}

{{/* The variable of each value of `secrets`, and the components that read it. */}}
{{- define "kinora.secretTable" -}}
KINORA_URL_SIGNING_KEY: { secret: urlSigningKey, readers: [gateway, jobsApi, jobsRunner] }
KINORA_URL_SIGNING_KEY_ACCEPTED: { secret: urlSigningKeyAccepted, readers: [gateway] }
KINORA_RECEIPT_KEY: { secret: receiptKey, readers: [jobsApi] }
KINORA_RECEIPT_KEY_NEXT: { secret: receiptKeyNext, readers: [jobsApi] }
KINORA_QUOTE_KEY: { secret: quoteKey, readers: [jobsApi] }
KINORA_QUOTE_KEY_ACCEPTED: { secret: quoteKeyAccepted, readers: [jobsApi] }
KINORA_C2PA_CERTIFICATE: { secret: c2paCertificate, readers: [jobsApi, jobsRunner, moderation] }
KINORA_C2PA_KEY: { secret: c2paKey, readers: [jobsRunner] }
KINORA_C2PA_SIGNER_TOKEN: { secret: c2paSignerToken, readers: [jobsRunner] }
KINORA_MARKER_TOKEN: { secret: markerToken, readers: [jobsRunner] }
KINORA_KEY_PEPPER: { secret: keyPepper, readers: [billing] }
KINORA_KEY_PEPPER_ACCEPTED: { secret: keyPepperAccepted, readers: [billing] }
KINORA_SMTP_URL: { secret: smtpUrl, readers: [billing] }
KINORA_STRIPE_WEBHOOK_SECRET: { secret: stripeWebhookSecret, readers: [gateway] }
KINORA_CONSOLE_CUSTOMER_OIDC_CLIENT_SECRET: { secret: consoleCustomerOidcClientSecret, readers: [consoleCustomer] }
KINORA_CONSOLE_SETUP_TOKEN: { secret: consoleSetupToken, readers: [consoleOperator] }
KINORA_CONSOLE_OIDC_CLIENT_SECRET: { secret: consoleOidcClientSecret, readers: [consoleOperator] }
{{- end -}}

{{/* What one component must be told in secret, by the variables; a credential without a key is not there. Takes root and component; as YAML. */}}
{{- define "kinora.componentCredentials" -}}
{{- $values := .root.Values -}}
{{- $component := .component -}}
{{- $credentials := dict -}}
{{- with $component.nats -}}
{{- $_ := set $credentials "NATS_URL" (index $values.nats.perService .) -}}
{{- end -}}
{{- with $component.database -}}
{{- $_ := set $credentials "DATABASE_URL" (index $values.postgres.perContext .) -}}
{{- end -}}
{{- range $env, $entry := include "kinora.secretTable" . | fromYaml -}}
{{- $credential := index $values.secrets $entry.secret -}}
{{- if and (has $component.key $entry.readers) $credential.secretKey -}}
{{- $_ := set $credentials $env $credential -}}
{{- end -}}
{{- end -}}
{{- if $component.stripe -}}
{{- $_ := set $credentials "KINORA_STRIPE_SECRET_KEY" $values.secrets.stripeSecretKey -}}
{{- end -}}
{{- if and $component.objects (eq $values.storage.driver "s3") $values.storage.s3.useCredentials -}}
{{- $_ := set $credentials "KINORA_S3_ACCESS_KEY_ID" $values.storage.s3.accessKeyId -}}
{{- $_ := set $credentials "KINORA_S3_SECRET_ACCESS_KEY" $values.storage.s3.secretAccessKey -}}
{{- end -}}
{{- toYaml $credentials -}}
{{- end -}}

{{/* Variables that hold secrets, or name the files of them; takes root and credentials. */}}
{{- define "kinora.secretVariables" -}}
{{- range $env, $credential := .credentials }}
{{- if $.root.Values.secrets.asFiles }}
- { name: {{ $env }}_FILE, value: /run/secrets/kinora/{{ $env }} }
{{- else }}
{{ include "kinora.secretVariable" (dict "root" $.root "env" $env "credential" $credential) }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "kinora.secretVariable" -}}
- name: {{ .env }}
  valueFrom:
    secretKeyRef:
      name: {{ include "kinora.secretName" . }}
      key: {{ .credential.secretKey }}
{{- end -}}

{{- define "kinora.secretMount" -}}
{{- if and .root.Values.secrets.asFiles .credentials }}
- { name: secrets, mountPath: /run/secrets/kinora, readOnly: true }
{{- end }}
{{- end -}}

{{/* The files of all of a pod's secrets, whichever Secrets they come from, each named as its variable. */}}
{{- define "kinora.secretVolume" -}}
{{- if and .root.Values.secrets.asFiles .credentials }}
- name: secrets
  projected:
    # 0440
    defaultMode: 288
    sources:
      {{- range $env, $credential := .credentials }}
      - secret:
          name: {{ include "kinora.secretName" (dict "root" $.root "credential" $credential) }}
          items: [{ key: {{ $credential.secretKey }}, path: {{ $env }} }]
      {{- end }}
{{- end }}
{{- end -}}

{{- define "kinora.secretName" -}}
{{- if .credential.existingSecret -}}
{{- .credential.existingSecret -}}
{{- else if or .credential.value (hasKey (include "kinora.trialCredentials" .root | fromYaml) .credential.secretKey) -}}
{{- include "kinora.ownSecretName" .root -}}
{{- else -}}
{{- required "Name a Secret in secrets.existingSecret, or one for each credential." .root.Values.secrets.existingSecret -}}
{{- end -}}
{{- end -}}

{{/*
The credentials of a trial, by their keys: all follow from trial.password. The keys of the services must have 32 characters, and the one
of receipts 64 hexadecimal digits, which a hash has. As YAML.
*/}}
{{- define "kinora.trialCredentials" -}}
{{- $credentials := dict -}}
{{- if .Values.trial.enabled -}}
{{- $password := .Values.trial.password -}}
{{- $_ := set $credentials "trial-password" $password -}}
{{- range $context, $credential := .Values.postgres.perContext -}}
{{- $address := printf "postgresql://kinora_%s:%s@%s:5432/kinora" (snakecase $context) $password (include "kinora.trialPostgresName" $) -}}
{{- $_ := set $credentials $credential.secretKey $address -}}
{{- end -}}
{{- range $user, $credential := .Values.nats.perService -}}
{{- $_ := set $credentials $credential.secretKey (printf "nats://%s:%s@%s:4222" (kebabcase $user) $password (include "kinora.brokerName" $)) -}}
{{- end -}}
{{- range $credential := .Values.nats.server.passwords -}}
{{- $_ := set $credentials $credential.secretKey $password -}}
{{- end -}}
{{- range $credential := list .Values.secrets.urlSigningKey .Values.secrets.keyPepper .Values.secrets.receiptKey .Values.secrets.quoteKey -}}
{{- $_ := set $credentials $credential.secretKey (printf "%s %s" $credential.secretKey $password | sha256sum) -}}
{{- end -}}
{{- end -}}
{{- toYaml $credentials -}}
{{- end -}}

{{/* Those that stand in the values in the clear, by their keys; as YAML. */}}
{{- define "kinora.inlineCredentials" -}}
{{- $inline := include "kinora.trialCredentials" . | fromYaml -}}
{{- $values := .Values -}}
{{- $groups := list (omit $values.secrets "existingSecret" "asFiles") $values.postgres.perContext $values.nats.perService -}}
{{- $groups = append $groups (pick $values.postgres "autoscaler") -}}
{{- $groups = append $groups $values.postgres.direct -}}
{{- $groups = append $groups (pick $values.storage.s3 "accessKeyId" "secretAccessKey") -}}
{{- if $values.nats.enabled -}}
{{- $groups = append $groups $values.nats.server.passwords -}}
{{- end -}}
{{- range $groups -}}
{{- range $name, $credential := . -}}
{{- if and $credential.value (not $credential.existingSecret) -}}
{{- $_ := set $inline $credential.secretKey $credential.value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $inline -}}
{{- end -}}
