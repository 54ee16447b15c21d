{{/* What a schema cannot see, because it takes two values to be wrong. */}}
{{- define "kinora.refuseContradictions" -}}
{{- if and .Values.ingress.enabled .Values.gatewayApi.enabled (ne .Values.ingress.host .Values.gatewayApi.host) (not .Values.publicUrl) -}}
{{- fail "ingress and gatewayApi have different hosts: say in publicUrl which of them clients are given." -}}
{{- end -}}
{{- if regexMatch "^[^a-z]" (include "kinora.fullname" .) -}}
{{- fail "The name of a Service begins with a letter: set fullnameOverride." -}}
{{- end -}}
{{- if and .Values.nats.enabled .Values.nats.tls.existingSecret -}}
{{- fail "nats.tls is for a broker elsewhere, and the one of nats.enabled has no TLS: set one of the two." -}}
{{- end -}}
{{- if and .Values.trial.enabled (ne .Values.postgres.pooler "none") -}}
{{- fail "trial.enabled connects to its own PostgreSQL: set postgres.pooler to none." -}}
{{- end -}}
{{- if .Values.trial.enabled -}}
{{- if not .Values.nats.enabled -}}
{{- fail "trial.enabled makes the credentials of the broker in this release: set nats.enabled to true." -}}
{{- end -}}
{{- if and .Values.migrations.enabled .Values.migrations.useHelmHooks -}}
{{- fail "trial.enabled installs PostgreSQL with the release, so hooks that run before it find no server: set migrations.useHelmHooks to false." -}}
{{- end -}}
{{- if not .Values.trial.password -}}
{{- fail "trial.password is empty: set it to at least 8 letters, digits or hyphens." -}}
{{- end -}}
{{- end -}}
{{- if and (ne .Values.service.type "LoadBalancer") (or .Values.service.loadBalancerClass .Values.service.loadBalancerSourceRanges) -}}
{{- fail "service.loadBalancerClass and loadBalancerSourceRanges need a load balancer: set service.type to LoadBalancer." -}}
{{- end -}}
{{- if and (eq .Values.service.type "ClusterIP") (or .Values.service.externalTrafficPolicy .Values.service.nodePort) -}}
{{- fail "service.externalTrafficPolicy and nodePort need a port at the nodes: set service.type to NodePort or LoadBalancer." -}}
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
{{- range $variable := $values.extraEnv -}}
{{- if and $component.half (eq $variable.name "KINORA_CONSOLE_ROLE") -}}
{{- fail (printf "%s.extraEnv sets KINORA_CONSOLE_ROLE: a pod serves the half of its section and no other." $component.key) -}}
{{- end -}}
{{- if eq $variable.name "KINORA_DRAIN_SECONDS" -}}
{{- fail (printf "%s.extraEnv sets KINORA_DRAIN_SECONDS, which terminationGracePeriodSeconds is checked against: set %s.drainSeconds." $component.key $component.key) -}}
{{- end -}}
{{- end -}}
{{- $most := ternary $values.autoscaling.maxReplicas $component.replicas $component.scaled | int -}}
{{- if and $component.objects (eq $.Values.storage.driver "filesystem") (not $.Values.storage.filesystem.existingClaim) (not (has "ReadWriteMany" $.Values.storage.filesystem.accessModes)) (gt $most 1) -}}
{{- fail (printf "%s mounts the volume of storage.filesystem, which pods on one node only may use without the access mode ReadWriteMany: set %s.replicaCount to 1." $component.key $component.key) -}}
{{- end -}}
{{- if and $values.podDisruptionBudget.enabled (gt (int $component.replicas) 1) (ge (int $values.podDisruptionBudget.maxUnavailable) (int $component.replicas)) -}}
{{- fail (printf "%s: podDisruptionBudget.maxUnavailable must be less than the replicas." $component.key) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Each host leads to one component: cookies belong to a host, and operators' pages do not belong on a public one. What Ingress of the
operators' half is public, only its class says; and of a route, its Gateway.
*/}}
{{- define "kinora.refuseSharedHosts" -}}
{{- $hosts := dict -}}
{{- $classes := list -}}
{{- $gateways := list -}}
{{- if .Values.ingress.enabled -}}
{{- $classes = append $classes .Values.ingress.className -}}
{{- range prepend .Values.ingress.extraHosts .Values.ingress -}}
{{- $_ := set $hosts (lower .host) "ingress" -}}
{{- end -}}
{{- end -}}
{{- if .Values.gatewayApi.enabled -}}
{{- range prepend .Values.gatewayApi.extraHosts .Values.gatewayApi.host -}}
{{- $_ := set $hosts (lower .) "gatewayApi" -}}
{{- end -}}
{{- $gateways = concat $gateways (include "kinora.gatewaysOf" (dict "root" . "parentRefs" .Values.gatewayApi.parentRefs) | fromYamlArray) -}}
{{- end -}}
{{- $components := include "kinora.components" . | fromYaml -}}
{{- range $key := list "consoleCustomer" "mcp" "consoleOperator" -}}
{{- range $component := pick $components $key -}}
{{- with $component.values.gatewayApi -}}
{{- if .enabled -}}
{{- if not .parentRefs -}}
{{- fail (printf "%s.gatewayApi.parentRefs names the Gateway that serves the route." $key) -}}
{{- end -}}
{{- if hasKey $hosts (lower .host) -}}
{{- fail (printf "%s.gatewayApi.host is also a host of %s: give each a host of its own." $key (index $hosts (lower .host))) -}}
{{- end -}}
{{- $_ := set $hosts (lower .host) (printf "%s.gatewayApi" $key) -}}
{{- $own := include "kinora.gatewaysOf" (dict "root" $ "parentRefs" .parentRefs) | fromYamlArray -}}
{{- range $own -}}
{{- if and (eq $key "consoleOperator") (has . $gateways) -}}
{{- fail (printf "consoleOperator.gatewayApi.parentRefs names the Gateway %s, which serves a public route: name one that only operators reach." .) -}}
{{- end -}}
{{- end -}}
{{- $gateways = concat $gateways $own -}}
{{- end -}}
{{- end -}}
{{- $ingress := $component.values.ingress -}}
{{- if $ingress.enabled -}}
{{- if hasKey $hosts (lower $ingress.host) -}}
{{- fail (printf "%s.ingress.host is also a host of %s: give each a host of its own." $key (index $hosts (lower $ingress.host))) -}}
{{- end -}}
{{- if and (eq $key "consoleOperator") (or (not $ingress.className) (has $ingress.className $classes)) -}}
{{- fail "consoleOperator.ingress needs an IngressClass that no public Ingress has: name that of a controller that only operators reach in consoleOperator.ingress.className." -}}
{{- end -}}
{{- $classes = append $classes $ingress.className -}}
{{- $_ := set $hosts (lower $ingress.host) (printf "%s.ingress" $key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The Gateways of a route as namespace/name, in YAML. Two listeners of a Gateway share its address, so they count as one. Takes root and parentRefs. */}}
{{- define "kinora.gatewaysOf" -}}
{{- range .parentRefs }}
- {{ printf "%s/%s" (default $.root.Release.Namespace .namespace) .name | quote }}
{{- end }}
{{- end -}}
