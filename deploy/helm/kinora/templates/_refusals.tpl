{{/* What a schema cannot see, because it takes two values to be wrong. */}}
{{- define "kinora.refuseContradictions" -}}
{{- if and .Values.ingress.enabled .Values.gatewayApi.enabled (ne .Values.ingress.host .Values.gatewayApi.host) (not .Values.publicUrl) -}}
{{- fail "ingress and gatewayApi have different hosts: say in publicUrl which of them clients are given." -}}
{{- end -}}
{{- if regexMatch "^[^a-z]" (include "kinora.fullname" .) -}}
{{- fail "The name of a Service begins with a letter: set fullnameOverride." -}}
{{- end -}}
{{- if and .Values.gatewayApi.enabled (not .Values.gatewayApi.parentRefs) -}}
{{- fail "gatewayApi.parentRefs names the Gateway that serves the route." -}}
{{- end -}}
{{- range $component := include "kinora.components" . | fromYaml -}}
{{- $values := $component.values -}}
{{- if le (int $values.terminationGracePeriodSeconds) (add (int $values.preStopSeconds) (int $values.drainSeconds) | int) -}}
{{- fail (printf "%s: terminationGracePeriodSeconds must be more than preStopSeconds and drainSeconds together." $component.key) -}}
{{- end -}}
{{- if and $component.scaled (gt (int $values.autoscaling.minReplicas) (int $values.autoscaling.maxReplicas)) -}}
{{- fail (printf "%s: autoscaling.minReplicas is more than maxReplicas." $component.key) -}}
{{- end -}}
{{- if and $component.single (gt (int $values.replicaCount) 1) -}}
{{- fail (printf "%s keeps its tasks in memory: it has one replica." $component.key) -}}
{{- end -}}
{{- if and $values.podDisruptionBudget.enabled (gt (int $component.replicas) 1) (ge (int $values.podDisruptionBudget.maxUnavailable) (int $component.replicas)) -}}
{{- fail (printf "%s: podDisruptionBudget.maxUnavailable must be less than the replicas." $component.key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
