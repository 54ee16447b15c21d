{{/*
What there is to run, by the names in values.yaml: its program, and what it needs of the stack. A program that needs less here gets
less: variables, volumes and ways through the NetworkPolicies all follow from this table.
*/}}
{{- define "kinora.componentTable" -}}
gateway: { program: gateway, nats: gateway, objects: true, internet: true, public: true, port: 8080 }
jobsApi: { program: jobs, nats: jobs, database: jobs, objects: true, internet: true, compute: true, operatorFiles: true, role: api }
jobsRunner: { program: jobs, nats: jobs, database: jobs, objects: true, internet: true, compute: true, operatorFiles: true, role: runner }
billing: { program: billing, nats: billing, database: billing }
moderation: { program: moderation, nats: moderation, database: moderation, objects: true, operatorFiles: true }
catalog: { program: catalog, nats: catalog, database: catalog, operatorFiles: true }
webhookDispatcher: { program: webhook-dispatcher, nats: webhookDispatcher, database: webhookDispatcher, internet: true }
sandbox: { program: sandbox, single: true, port: 8090 }
consoleCustomer: { program: console, half: customer, nats: consoleCustomer, database: console, callsGateway: true, readsFiles: true, clients: true, port: 8081 }
consoleOperator: { program: console, half: operator, nats: consoleOperator, database: console, readsFiles: true, port: 8082 }
mcp: { program: mcp, callsGateway: true, readsFiles: true, clients: true, port: 8090 }
{{- end -}}

{{/* The table with, for each component that is on, its name, its values over the defaults, and its number of replicas; as YAML. */}}
{{- define "kinora.components" -}}
{{- $root := . -}}
{{- $components := dict -}}
{{- range $key, $entry := include "kinora.componentTable" . | fromYaml -}}
{{- $own := index $root.Values $key -}}
{{- $isOn := not (and (hasKey $own "enabled") (not $own.enabled)) -}}
{{- if and $isOn (or $root.Values.console.enabled (not $entry.half)) -}}
{{- $values := mustMergeOverwrite (deepCopy $root.Values.defaults) (deepCopy $own) -}}
{{- $scaled := and $values.autoscaling.enabled (not $entry.single) -}}
{{- $replicas := ternary $values.autoscaling.minReplicas $values.replicaCount $scaled -}}
{{- if $entry.single -}}{{- $replicas = 1 -}}{{- end -}}
{{- $stripe := and (eq $key "billing") (eq (toString (default "none" (index $values.config "KINORA_PAYMENTS"))) "stripe") -}}
{{- /* The gateway serves the files of a volume. */}}
{{- $callsGateway := or $entry.callsGateway (and $entry.readsFiles (eq $root.Values.storage.driver "filesystem")) -}}
{{- $_ := set $components $key (mustMerge (dict "callsGateway" $callsGateway "key" $key "name" (kebabcase $key) "values" $values "scaled" $scaled "replicas" $replicas "stripe" $stripe) $entry) -}}
{{- end -}}
{{- end -}}
{{- toYaml $components -}}
{{- end -}}

{{/* A vector of PromQL with a sample for each service that runs: `job` is the component, as the ServiceMonitor names it. */}}
{{- define "kinora.expectedServices" -}}
{{- $services := list -}}
{{- range $component := include "kinora.components" . | fromYaml -}}
{{- if and $component.nats (gt (int $component.replicas) 0) -}}
{{- $services = append $services (printf "label_replace(vector(1), \"job\", \"%s\", \"\", \"\")" $component.name) -}}
{{- end -}}
{{- end -}}
({{ join " or " $services }})
{{- end -}}
