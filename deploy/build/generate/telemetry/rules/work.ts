import { HERE, type RuleGroup, THRESHOLD } from './rule';

export const WORK: RuleGroup[] = [
  {
    name: 'kinora-work',
    rules: [
      {
        name: 'KinoraQueueOld',
        expr: `max by (model) (kinora_jobs_queue_timeout_used_ratio{${HERE}}) > ${THRESHOLD}`,
        threshold: { limit: 0.5, unit: "share of the model's queue timeout" },
        for: '5m',
        severity: 'warning',
        summary: 'A job has used half of the time that it may wait for its model.',
        runbook: [
          'Jobs that wait past their deadline fail with `capacity` and are refunded. Find the providers of the model on _Jobs and providers_. As many tasks as `concurrency` allows, or one more than the server works on, means too few instances. Fewer tasks mean a problem that `kinora doctor` names.',
        ],
      },
      {
        name: 'KinoraProviderInTrouble',
        expr: `min by (provider) (kinora_provider_breaker_open{${HERE}}) == 1`,
        for: '10m',
        severity: 'warning',
        summary: 'A provider gets no jobs because it refuses them or loses answers.',
        runbook: [
          '`kinora doctor` examines it without costs. Jobs go to the other routes of their model; without another route, they wait. The provider is probed every 1.5 s and gets jobs again as soon as it answers, so nothing has to be reset. The log of jobs has a line when it is taken out, `provider_unavailable` with the cause, and one when it is back, `provider_available`.',
        ],
      },
      {
        name: 'KinoraProviderFailsJobs',
        expr: `sum by (provider) (rate(kinora_provider_attempts_total{${HERE}, outcome=~"failed|lost"}[15m])) / sum by (provider) (rate(kinora_provider_attempts_total{${HERE}}[15m])) > ${THRESHOLD}`,
        threshold: { limit: 0.2, unit: 'share of its attempts' },
        for: '15m',
        severity: 'warning',
        summary: 'A provider fails or loses one attempt in five.',
        runbook: [
          '`attempt_failed` in the log of jobs has the reason of each failure, and so has `kinora job show JOB_ID` for one job. `invalid_input` means that the template of the route does not match the backend; `transient` means a problem of its worker (memory, driver).',
        ],
      },
      {
        name: 'KinoraWebhooksOverdue',
        expr: `max(kinora_webhook_overdue_seconds{${HERE}}) > ${THRESHOLD}`,
        threshold: { limit: 120, unit: 'seconds' },
        for: '5m',
        severity: 'critical',
        summary: 'Webhooks are due but are not sent.',
        runbook: [
          'Check that a dispatcher is running and ready, that its pool is not exhausted, and that billing returns the secrets. Nothing is lost: a dispatcher sends overdue webhooks as soon as it can.',
        ],
      },
      {
        name: 'KinoraOutboxStuck',
        expr: `max by (job) (kinora_outbox_oldest_age_seconds{${HERE}}) > ${THRESHOLD}`,
        threshold: { limit: 60, unit: 'seconds' },
        for: '5m',
        severity: 'critical',
        summary: 'Events are not acknowledged by the broker.',
        runbook: [
          'See `outbox_relay_interrupted` in the log of the service: the broker is away, is full (`max_bytes` of the stream), or refuses the user. Webhooks and strikes are delayed; money is not affected.',
        ],
      },
      {
        name: 'KinoraEventsPending',
        expr: `max by (job, subject) (kinora_events_pending{${HERE}}) > ${THRESHOLD}`,
        threshold: { limit: 1_000, unit: 'events' },
        for: '10m',
        severity: 'warning',
        summary: 'A service does not keep up with its events.',
        runbook: ['Add replicas of the service, or see `event_not_handled` in its log for the reason of redeliveries.'],
      },
      {
        name: 'KinoraObjectStoreFails',
        expr: `sum by (operation) (rate(kinora_object_store_operation_duration_seconds_count{${HERE}, outcome="failed"}[10m])) / sum by (operation) (rate(kinora_object_store_operation_duration_seconds_count{${HERE}}[10m])) > ${THRESHOLD}`,
        threshold: { limit: 0.01, unit: 'share of the operations' },
        for: '10m',
        severity: 'critical',
        summary: 'The object store fails.',
        runbook: [
          'Images cannot be received, stored or served; jobs whose outputs cannot be stored wait until their deadline. Check that the store is reachable, not full, and accepts the credentials.',
        ],
      },
    ],
  },
];
