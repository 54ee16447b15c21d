{{- define "kinora.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Short enough for the longest name that is made of it (<fullname>-webhook-dispatcher-internal), and fit for a Service. */}}
{{- define "kinora.fullname" -}}
{{- $fullname := .Release.Name -}}
{{- if .Values.fullnameOverride -}}
{{- $fullname = .Values.fullnameOverride -}}
{{- else if not (contains (include "kinora.name" .) .Release.Name) -}}
{{- $fullname = printf "%s-%s" .Release.Name (include "kinora.name" .) -}}
{{- end -}}
{{- $fullname | replace "." "-" | trunc 35 | trimSuffix "-" -}}
{{- end -}}

{{/* Of what has a longer ending than that, none of which may be lost; takes root and ending. */}}
{{- define "kinora.nameEnding" -}}
{{- $room := sub 63 (len .ending) | int -}}
{{- printf "%s%s" (include "kinora.fullname" .root | trunc $room | trimSuffix "-") .ending -}}
{{- end -}}

{{- define "kinora.releaseSelector" -}}
app.kubernetes.io/name: {{ include "kinora.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Of one component; takes root and name. A Deployment can never change these three. */}}
{{- define "kinora.selector" -}}
{{ include "kinora.releaseSelector" .root }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "kinora.releaseLabels" -}}
{{ include "kinora.releaseSelector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.global.labels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "kinora.labels" -}}
{{ include "kinora.releaseLabels" .root }}
{{- with .name }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{/* Of an object; takes root, the name of its component if it is of one, and objectName, annotations and more labels if there are any. */}}
{{- define "kinora.metadata" -}}
name: {{ default (printf "%s-%s" (include "kinora.fullname" .root) .name) .objectName }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "kinora.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with .annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Of a hook that Helm makes anew each time it runs; takes event and weight. */}}
{{- define "kinora.hook" -}}
helm.sh/hook: {{ .event }}
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end -}}

{{/* A ServiceAccount without a token; takes what kinora.metadata takes. */}}
{{- define "kinora.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "kinora.metadata" . | nindent 2 }}
automountServiceAccountToken: false
{{- end -}}

{{/* The ServiceAccount of a component: one that exists already, or its own; takes root and component. */}}
{{- define "kinora.accountName" -}}
{{- default (printf "%s-%s" (include "kinora.fullname" .root) .component.name) .component.values.serviceAccount.name -}}
{{- end -}}

{{/* Takes root and image. */}}
{{- define "kinora.image" -}}
{{- $image := .image -}}
{{- $repository := $image.repository -}}
{{- with .root.Values.global.imageRegistry -}}
{{- $repository = printf "%s/%s" (trimSuffix "/" .) $repository -}}
{{- end -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (default .root.Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "kinora.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{- trimSuffix "/" .Values.publicUrl -}}
{{- else if .Values.ingress.enabled -}}
{{- printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecretName "")) .Values.ingress.host -}}
{{- else if .Values.gatewayApi.enabled -}}
{{- printf "https://%s" .Values.gatewayApi.host -}}
{{- else -}}
{{- printf "http://%s-gateway.%s.svc:%v" (include "kinora.fullname" .) .Release.Namespace .Values.service.port -}}
{{- end -}}
{{- end -}}

{{/* Where pods of the release reach the gateway. */}}
{{- define "kinora.gatewayUrl" -}}
{{- printf "http://%s-gateway:%v" (include "kinora.fullname" .) .Values.service.port -}}
{{- end -}}

{{- define "kinora.sandboxUrl" -}}
{{- if .Values.sandbox.enabled -}}
{{- printf "http://%s-sandbox:8090" (include "kinora.fullname" .) -}}
{{- else -}}
{{- .Values.sandbox.url -}}
{{- end -}}
{{- end -}}

{{- define "kinora.brokerName" -}}
{{ include "kinora.fullname" . }}-nats
{{- end -}}

{{- define "kinora.trialPostgresName" -}}
{{ include "kinora.fullname" . }}-postgres
{{- end -}}

{{/* Where the broker tells how it is; whole, because KEDA asks from a namespace of its own. */}}
{{- define "kinora.brokerMonitor" -}}
{{- if .Values.nats.monitoringEndpoint -}}
{{- .Values.nats.monitoringEndpoint -}}
{{- else -}}
{{- printf "%s.%s.svc:8222" (ternary (include "kinora.brokerName" .) "nats-headless" .Values.nats.enabled) .Release.Namespace -}}
{{- end -}}
{{- end -}}
