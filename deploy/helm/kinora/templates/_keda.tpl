{{/* By what a component is scaled: by the work that waits for it, where that can be seen, and by its CPU. */}}
{{- define "kinora.kedaTriggers" -}}
{{- $values := .component.values -}}
{{- if eq .component.key "webhookDispatcher" }}
- type: nats-jetstream
  metadata:
    natsServerMonitoringEndpoint: {{ include "kinora.brokerMonitor" .root | quote }}
    account: {{ .root.Values.nats.account | quote }}
    stream: KINORA_EVENTS
    consumer: webhook-dispatcher-jobs-v1-event-job_finished
    lagThreshold: {{ include "kinora.text" $values.lagPerReplica | quote }}
{{- end }}
{{- if eq .component.key "jobsRunner" }}
# Attempts whose providers have finished and whose outputs are not stored yet. Jobs in the queue wait for GPUs, which no runner adds.
- type: postgresql
  authenticationRef: { name: {{ include "kinora.fullname" .root }}-jobs-runner }
  metadata:
    query: SELECT count(*) FROM jobs.attempt WHERE state = 'collecting'
    targetQueryValue: {{ include "kinora.text" $values.collectingPerReplica | quote }}
{{- end }}
- type: cpu
  metricType: Utilization
  metadata:
    value: {{ include "kinora.text" $values.autoscaling.targetCpuUtilizationPercentage | quote }}
{{- end -}}
