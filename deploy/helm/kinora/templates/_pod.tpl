{{/* What every pod has, whatever it runs. */}}
{{- define "kinora.podSettings" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- with .Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Of a pod; takes root, name, values with podLabels and podAnnotations, and annotations of the chart's own. */}}
{{- define "kinora.podMetadata" -}}
labels:
  {{- mustMerge (include "kinora.labels" (pick . "root" "name") | fromYaml) .values.podLabels | toYaml | nindent 2 }}
{{- with mustMerge (default dict .annotations) .values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Which nodes a pod may have, and before whom; takes the values of its section over the defaults. */}}
{{- define "kinora.scheduling" -}}
{{- $values := . -}}
{{- range $field := list "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- with index $values $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The image, and its program at a path of the build. */}}
{{- define "kinora.containerSettings" -}}
image: {{ include "kinora.image" (dict "root" .root "image" .root.Values.image) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: [node, {{ .program }}]
securityContext:
  {{- toYaml .root.Values.containerSecurityContext | nindent 2 }}
{{- end -}}

{{- define "kinora.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .component.nats }}
{{- include "kinora.brokerTlsMount" .root }}
{{- end }}
{{- include "kinora.secretMount" (dict "root" .root "credentials" (include "kinora.componentCredentials" . | fromYaml)) }}
{{- if and .component.objects (eq .root.Values.storage.driver "filesystem") }}
- { name: objects, mountPath: /var/lib/kinora/objects }
{{- end }}
{{- if and .component.operatorFiles (include "kinora.hasOperatorFiles" .root | eq "true") }}
- { name: operator-files, mountPath: /etc/kinora, readOnly: true }
{{- end }}
{{- with .component.values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "kinora.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: {{ .component.values.tmpSizeLimit }} }
{{- if .component.nats }}
{{- include "kinora.brokerTlsVolume" .root }}
{{- end }}
{{- include "kinora.secretVolume" (dict "root" .root "credentials" (include "kinora.componentCredentials" . | fromYaml)) }}
{{- if and .component.objects (eq .root.Values.storage.driver "filesystem") }}
- name: objects
  persistentVolumeClaim:
    claimName: {{ default (printf "%s-objects" (include "kinora.fullname" .root)) .root.Values.storage.filesystem.existingClaim }}
{{- end }}
{{- if and .component.operatorFiles (include "kinora.hasOperatorFiles" .root | eq "true") }}
- name: operator-files
  configMap:
    name: {{ include "kinora.operatorFilesName" .root }}
    {{- with .root.Values.operatorFiles }}
    items:
      {{- range $path, $text := . }}
      - { key: {{ include "kinora.operatorFileKey" $path }}, path: {{ $path | quote }} }
      {{- end }}
    {{- end }}
{{- end }}
{{- with .component.values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* A key of a ConfigMap holds no slash. */}}
{{- define "kinora.operatorFileKey" -}}
{{- replace "/" "__" . -}}
{{- end -}}

{{/* The sandbox and mcp have one port for their work and their health; the others answer probes where no client reaches them. */}}
{{- define "kinora.probes" -}}
{{- $hasOnePort := not .nats -}}
{{- $port := ternary "http" "internal" $hasOnePort -}}
{{- $live := dict "path" (ternary "/healthz" "/livez" $hasOnePort) "port" $port -}}
{{- $ready := dict "path" (ternary "/healthz" "/readyz" $hasOnePort) "port" $port -}}
# A service waits for its broker before it answers anything at all.
startupProbe: {{ dict "httpGet" $live "periodSeconds" 2 "failureThreshold" 150 "timeoutSeconds" 3 | toJson }}
livenessProbe: {{ dict "httpGet" $live "periodSeconds" 10 "failureThreshold" 3 "timeoutSeconds" 5 | toJson }}
readinessProbe: {{ dict "httpGet" $ready "periodSeconds" 5 "failureThreshold" 2 "timeoutSeconds" 3 | toJson }}
{{- end -}}

{{- define "kinora.ports" -}}
{{- with .port }}
- { name: http, containerPort: {{ . }}, protocol: TCP }
{{- end }}
{{- if .nats }}
- { name: internal, containerPort: 9090, protocol: TCP }
{{- end }}
{{- end -}}

{{- define "kinora.topologySpread" -}}
{{- if .component.values.topologySpreadConstraints -}}
{{ toYaml .component.values.topologySpreadConstraints }}
{{- else -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "kinora.selector" (dict "root" $.root "name" $.component.name) | nindent 6 }}
{{- end }}
{{- end -}}
{{- end -}}
