{{- define "kinora.ownSecretName" -}}
{{ include "kinora.fullname" . }}-credentials
{{- end -}}

{{/* What one component must be told in secret, by the variables; takes root and component; as YAML. */}}
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
{{- if or $component.public $component.role -}}
{{- $_ := set $credentials "KINORA_URL_SIGNING_KEY" $values.secrets.urlSigningKey -}}
{{- end -}}
{{- if and $component.public $values.secrets.urlSigningKeyAccepted.secretKey -}}
{{- $_ := set $credentials "KINORA_URL_SIGNING_KEY_ACCEPTED" $values.secrets.urlSigningKeyAccepted -}}
{{- end -}}
{{- if eq (default "" $component.role) "api" -}}
{{- $_ := set $credentials "KINORA_RECEIPT_KEY" $values.secrets.receiptKey -}}
{{- $_ := set $credentials "KINORA_QUOTE_KEY" $values.secrets.quoteKey -}}
{{- if $values.secrets.quoteKeyAccepted.secretKey -}}
{{- $_ := set $credentials "KINORA_QUOTE_KEY_ACCEPTED" $values.secrets.quoteKeyAccepted -}}
{{- end -}}
{{- if $values.secrets.receiptKeyNext.secretKey -}}
{{- $_ := set $credentials "KINORA_RECEIPT_KEY_NEXT" $values.secrets.receiptKeyNext -}}
{{- end -}}
{{- end -}}
{{- if and (or $component.role (eq $component.key "moderation")) $values.secrets.c2paCertificate.secretKey -}}
{{- $_ := set $credentials "KINORA_C2PA_CERTIFICATE" $values.secrets.c2paCertificate -}}
{{- end -}}
{{- if eq (default "" $component.role) "runner" -}}
{{- if $values.secrets.c2paKey.secretKey -}}
{{- $_ := set $credentials "KINORA_C2PA_KEY" $values.secrets.c2paKey -}}
{{- end -}}
{{- if $values.secrets.c2paSignerToken.secretKey -}}
{{- $_ := set $credentials "KINORA_C2PA_SIGNER_TOKEN" $values.secrets.c2paSignerToken -}}
{{- end -}}
{{- if $values.secrets.markerToken.secretKey -}}
{{- $_ := set $credentials "KINORA_MARKER_TOKEN" $values.secrets.markerToken -}}
{{- end -}}
{{- end -}}
{{- if eq $component.key "billing" -}}
{{- $_ := set $credentials "KINORA_KEY_PEPPER" $values.secrets.keyPepper -}}
{{- if $values.secrets.keyPepperAccepted.secretKey -}}
{{- $_ := set $credentials "KINORA_KEY_PEPPER_ACCEPTED" $values.secrets.keyPepperAccepted -}}
{{- end -}}
{{- if $values.secrets.smtpUrl.secretKey -}}
{{- $_ := set $credentials "KINORA_SMTP_URL" $values.secrets.smtpUrl -}}
{{- end -}}
{{- end -}}
{{- if and (eq $component.key "gateway") $values.secrets.stripeWebhookSecret.secretKey -}}
{{- $_ := set $credentials "KINORA_STRIPE_WEBHOOK_SECRET" $values.secrets.stripeWebhookSecret -}}
{{- end -}}
{{- if $component.stripe -}}
{{- $_ := set $credentials "KINORA_STRIPE_SECRET_KEY" $values.secrets.stripeSecretKey -}}
{{- end -}}
{{- if and (eq (default "" $component.half) "customer") $values.secrets.consoleCustomerOidcClientSecret.secretKey -}}
{{- $_ := set $credentials "KINORA_CONSOLE_CUSTOMER_OIDC_CLIENT_SECRET" $values.secrets.consoleCustomerOidcClientSecret -}}
{{- end -}}
{{- if eq (default "" $component.half) "operator" -}}
{{- if $values.secrets.consoleSetupToken.secretKey -}}
{{- $_ := set $credentials "KINORA_CONSOLE_SETUP_TOKEN" $values.secrets.consoleSetupToken -}}
{{- end -}}
{{- if $values.secrets.consoleOidcClientSecret.secretKey -}}
{{- $_ := set $credentials "KINORA_CONSOLE_OIDC_CLIENT_SECRET" $values.secrets.consoleOidcClientSecret -}}
{{- end -}}
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
