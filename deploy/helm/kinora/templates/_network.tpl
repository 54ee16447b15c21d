{{/* Ports of TCP, as a NetworkPolicy lists them. */}}
{{- define "kinora.tcpPorts" -}}
{{- range . }}
- { protocol: TCP, port: {{ . }} }
{{- end }}
{{- end -}}

{{/* The addresses of the gateway's Service, and how a load balancer leads to it; takes the section service. */}}
{{- define "kinora.serviceAddress" -}}
{{- $fields := pick . "ipFamilyPolicy" "ipFamilies" "externalTrafficPolicy" "loadBalancerClass" "loadBalancerSourceRanges" -}}
{{- range $field, $value := $fields -}}
{{- with $value }}
{{ $field }}: {{ toJson . }}
{{- end }}
{{- end }}
{{- if and (eq .type "LoadBalancer") (not .allocateLoadBalancerNodePorts) }}
allocateLoadBalancerNodePorts: false
{{- end }}
{{- end -}}

{{- define "kinora.privatePeers" -}}
{{- range concat .privateRanges.ipv4 .privateRanges.ipv6 }}
- ipBlock: { cidr: {{ . | quote }} }
{{- end }}
{{- end -}}

{{/* Every public address. The services check the addresses of clients as well; this policy is a second line of defence. */}}
{{- define "kinora.publicPeers" -}}
- ipBlock:
    cidr: 0.0.0.0/0
    except: {{ concat .privateRanges.ipv4 .neverRanges.ipv4 | toJson }}
- ipBlock:
    cidr: '::/0'
    except: {{ concat .privateRanges.ipv6 .neverRanges.ipv6 | toJson }}
{{- end -}}

{{/* One way out; takes ports and to, as YAML text. */}}
{{- define "kinora.egressRule" -}}
- ports:
    {{- include "kinora.tcpPorts" .ports | trim | nindent 4 }}
  to:
    {{- .to | trim | nindent 4 }}
{{- end -}}

{{/* The pods of one component, as a peer; takes root and name. */}}
{{- define "kinora.podPeer" -}}
- podSelector:
    matchLabels:
      {{- include "kinora.selector" . | nindent 6 }}
{{- end -}}

{{/* To one component; takes root, name and port. */}}
{{- define "kinora.podRule" -}}
{{ include "kinora.egressRule" (dict "ports" (list .port) "to" (include "kinora.podPeer" .)) }}
{{- end -}}

{{/*
All that the pods of one component may reach, and that may reach them; takes what kinora.metadata takes, and ingress and egress as YAML text.
*/}}
{{- define "kinora.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "kinora.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "kinora.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- with .ingress }}
  ingress:
    {{- trim . | nindent 4 }}
  {{- end }}
  {{- with .egress }}
  egress:
    {{- trim . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* To a store: the peers that are named, or any private address; takes policy and store. */}}
{{- define "kinora.storeRule" -}}
{{- $to := ternary (toYaml .store.to) (include "kinora.privatePeers" .policy) (gt (len .store.to) 0) -}}
{{ include "kinora.egressRule" (dict "ports" (list .store.port) "to" $to) }}
{{- end -}}

{{- define "kinora.dnsRule" -}}
- ports:
    - { protocol: UDP, port: {{ .dnsPort }} }
    - { protocol: TCP, port: {{ .dnsPort }} }
  to:
    {{- toYaml .dnsTo | nindent 4 }}
{{- end -}}

{{- define "kinora.brokerRule" -}}
{{- if .Values.nats.enabled -}}
{{ include "kinora.podRule" (dict "root" . "name" "nats" "port" 4222) }}
{{- else -}}
{{ include "kinora.storeRule" (dict "policy" .Values.networkPolicy "store" .Values.networkPolicy.nats) }}
{{- end -}}
{{- end -}}

{{/*
To what an address names; takes policy, store and endpoint. The port is that of the address, unless the store names one: a policy sees the
port of the pod, which may differ from that of its Service. Without peers, a name of the cluster or a private address is at a private
address, and any other name may be at a private or a public one, because DNS decides that.
*/}}
{{- define "kinora.endpointRule" -}}
{{- $url := urlParse .endpoint -}}
{{- $host := regexReplaceAll ":[0-9]+$" $url.host "" -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary 80 443 (eq $url.scheme "http")) | int -}}
{{- $isPrivate := regexMatch "^([^.]+|.+[.](svc|local|internal)|.+[.]svc[.].+|(10|127|192[.]168|172[.](1[6-9]|2[0-9]|3[01]))[.][0-9.]+|\\[f[cd].*)$" $host -}}
{{- $to := include "kinora.privatePeers" .policy -}}
{{- if .store.to -}}
{{- $to = toYaml .store.to -}}
{{- else if not $isPrivate -}}
{{- $to = printf "%s\n%s" $to (include "kinora.publicPeers" .policy) -}}
{{- end -}}
{{ include "kinora.egressRule" (dict "ports" (list (.store.port | default $port | int)) "to" $to) }}
{{- end -}}

{{- define "kinora.objectStoreRule" -}}
{{- $policy := .Values.networkPolicy -}}
{{- $store := $policy.objectStore -}}
{{- if or $store.to .Values.storage.s3.endpoint -}}
{{ include "kinora.endpointRule" (dict "policy" $policy "store" $store "endpoint" (default "https://s3.amazonaws.com" .Values.storage.s3.endpoint)) }}
{{- else -}}
{{ include "kinora.egressRule" (dict "ports" (list (default 443 $store.port | int)) "to" (include "kinora.publicPeers" $policy)) }}
{{- end -}}
{{- end -}}

{{/*
To the files of outputs, as their links name them, for what reads them as a client does; nothing where the gateway serves them inside the
cluster. Takes root and component.
*/}}
{{- define "kinora.fileRule" -}}
{{- $values := .root.Values -}}
{{- $anywhere := dict "to" list -}}
{{- if eq $values.storage.driver "s3" -}}
{{- if or (include "kinora.fileOrigins" .) (not $values.storage.s3.publicEndpoint) -}}
{{ include "kinora.objectStoreRule" .root }}
{{- else -}}
{{ include "kinora.endpointRule" (dict "policy" $values.networkPolicy "store" $anywhere "endpoint" $values.storage.s3.publicEndpoint) }}
{{- end -}}
{{- else if and (not .component.half) (or $values.publicUrl $values.ingress.enabled $values.gatewayApi.enabled) -}}
{{ include "kinora.endpointRule" (dict "policy" $values.networkPolicy "store" $anywhere "endpoint" (include "kinora.publicUrl" .root)) }}
{{- end -}}
{{- end -}}

{{/* All that one component may reach; takes root and component. */}}
{{- define "kinora.egress" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $policy := $root.Values.networkPolicy -}}
{{- if or $component.nats $component.callsGateway }}
{{ include "kinora.dnsRule" $policy }}
{{- end }}
{{- if $component.nats }}
{{ include "kinora.brokerRule" $root }}
{{- end }}
{{- if and $component.nats $root.Values.telemetry.traces.endpoint }}
{{ include "kinora.endpointRule" (dict "policy" $policy "store" $policy.traces "endpoint" $root.Values.telemetry.traces.endpoint) }}
{{- end }}
{{- if $component.database }}
{{ include "kinora.storeRule" (dict "policy" $policy "store" $policy.postgres) }}
{{- end }}
{{- if and $component.objects (eq $root.Values.storage.driver "s3") }}
{{ include "kinora.objectStoreRule" $root }}
{{- end }}
{{- if $component.callsGateway }}
{{ include "kinora.podRule" (dict "root" $root "name" "gateway" "port" 8080) }}
{{- end }}
{{- if $component.readsFiles }}
{{- with include "kinora.fileRule" . | trim }}
{{ . }}
{{- end }}
{{- end }}
{{- if $component.half }}
{{- with index $component.values.config (ternary "KINORA_CONSOLE_OIDC_ISSUER" "KINORA_CONSOLE_CUSTOMER_OIDC_ISSUER" (eq $component.half "operator")) }}
{{ include "kinora.endpointRule" (dict "policy" $policy "store" (dict "to" list) "endpoint" .) }}
{{- end }}
{{- end }}
{{- if and $component.compute $root.Values.sandbox.enabled }}
{{ include "kinora.podRule" (dict "root" $root "name" "sandbox" "port" 8090) }}
{{- end }}
{{- if $component.compute }}
{{- range $policy.compute }}
{{ include "kinora.egressRule" (dict "ports" (list .port) "to" (toYaml .to)) }}
{{- end }}
{{- end }}
{{- if or $component.internet $component.stripe }}
{{ include "kinora.egressRule" (dict "ports" $policy.internetPorts "to" (include "kinora.publicPeers" $policy)) }}
{{- end }}
{{- with $component.values.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The peers that a component admits. Probes come from the node itself, which NetworkPolicies always admit. */}}
{{- define "kinora.ingress" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $policy := $root.Values.networkPolicy -}}
{{- if .component.public }}
- ports: [{ protocol: TCP, port: http }]
  {{- with $policy.gatewayFrom }}
  from:
    {{- toYaml . | nindent 4 }}
    {{- $names := ternary (list "test") list $root.Values.tests.enabled }}
    {{- range $caller := include "kinora.components" $root | fromYaml }}
    {{- if $caller.callsGateway }}
    {{- $names = append $names $caller.name }}
    {{- end }}
    {{- end }}
    {{- range $names }}
    {{- include "kinora.podPeer" (dict "root" $root "name" .) | nindent 4 }}
    {{- end }}
  {{- end }}
{{- end }}
{{- $pages := dict "consoleCustomer" $policy.consoleFrom "consoleOperator" $policy.consoleOperatorFrom "mcp" $policy.mcpFrom }}
{{- $peers := index $pages .component.key }}
{{- /* What is not for clients admits only peers that are named. */}}
{{- if or $peers .component.clients }}
- ports: [{ protocol: TCP, port: http }]
  {{- with $peers }}
  from:
    {{- toYaml . | nindent 4 }}
    {{- if and $root.Values.tests.enabled (eq $component.key "consoleCustomer") }}
    {{- include "kinora.podPeer" (dict "root" $root "name" "test") | nindent 4 }}
    {{- end }}
  {{- end }}
{{- end }}
{{- if eq .component.key "sandbox" }}
- ports: [{ protocol: TCP, port: http }]
  from:
    {{- range $name := list "jobs-api" "jobs-runner" }}
    {{- include "kinora.podPeer" (dict "root" $root "name" $name) | nindent 4 }}
    {{- end }}
{{- end }}
{{- if and .component.nats $policy.metricsFrom }}
- ports: [{ protocol: TCP, port: internal }]
  from:
    {{- toYaml $policy.metricsFrom | nindent 4 }}
{{- end }}
{{- end -}}
