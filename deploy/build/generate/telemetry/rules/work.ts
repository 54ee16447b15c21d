import { HERE, type RuleGroup } from './rule';

export const WORK: RuleGroup[] = [
  {
    name: 'kinora-work',
    rules: [
      {
        name: 'KinoraQueueOld',
        expr: `max by (model) (kinora_jobs_oldest_queued_age_seconds{${HERE}}) > 600`,
        for: '5m',
        severity: 'warning',
        summary: 'A job has waited for its model for ten minutes.',
        runbook: [
          'Jobs that wait past their deadline fail with `capacity` and are refunded. See _Jobs and providers_ for the providers of the model: as many tasks as `concurrency` allows, or one more than its server works on, means too few instances; fewer means trouble, which `kinora doctor` names.',
        ],
      },
      {
        name: 'KinoraProviderInTrouble',
        expr: `min by (provider) (kinora_provider_breaker_open{${HERE}}) == 1`,
        for: '10m',
        severity: 'warning',
        summary: 'A provider is kept out of the choice because it takes no jobs or loses answers.',
        runbook: [
          '`kinora doctor` examines it without costs. Jobs go to the other routes of their model; where there is none, they wait. It is probed every 1.5 s and gets jobs again as soon as it answers, so nothing has to be reset. The log of jobs has one line when it goes, `provider_unavailable` with the cause, and one when it is back, `provider_available`.',
        ],
      },
      {
        name: 'KinoraProviderFailsJobs',
        expr: `sum by (provider) (rate(kinora_provider_attempts_total{${HERE}, outcome=~"failed|lost"}[15m])) / sum by (provider) (rate(kinora_provider_attempts_total{${HERE}}[15m])) > 0.2`,
        for: '15m',
        severity: 'warning',
        summary: 'A provider fails or loses one attempt in five.',
        runbook: [
          '`attempt_failed` in the log of jobs gives the reason of each, and so does `kinora job show` for one job. `invalid_input` means that the template of the route does not fit the backend; `transient` means its worker (memory, driver).',
        ],
      },
      {
        name: 'KinoraWebhooksOverdue',
        expr: `max(kinora_webhook_overdue_seconds{${HERE}}) > 120`,
        for: '5m',
        severity: 'critical',
        summary: 'Webhooks are due and are not sent.',
        runbook: [
          'See that a dispatcher is there and ready, that its pool is not exhausted, and whether billing answers for the secrets. Nothing is lost: a dispatcher sends overdue webhooks as soon as it can.',
        ],
      },
      {
        name: 'KinoraOutboxStuck',
        expr: `max by (job) (kinora_outbox_oldest_age_seconds{${HERE}}) > 60`,
        for: '5m',
        severity: 'critical',
        summary: 'Events are not acknowledged by the broker.',
        runbook: [
          'See `outbox_relay_interrupted` in the log of the service: the broker is away, full (`max_bytes` of the stream), or refuses the user. Webhooks and strikes wait for it; money does not.',
        ],
      },
      {
        name: 'KinoraEventsPending',
        expr: `max by (job, subject) (kinora_events_pending{${HERE}}) > 1000`,
        for: '10m',
        severity: 'warning',
        summary: 'A service does not keep up with its events.',
        runbook: ['Add replicas of the service, or see `event_not_handled` in its log for why deliveries come again.'],
      },
      {
        name: 'KinoraObjectStoreFails',
        expr: `sum by (operation) (rate(kinora_object_store_operation_duration_seconds_count{${HERE}, outcome="failed"}[10m])) / sum by (operation) (rate(kinora_object_store_operation_duration_seconds_count{${HERE}}[10m])) > 0.01`,
        for: '10m',
        severity: 'critical',
        summary: 'The object store fails.',
        runbook: [
          'Pictures cannot be taken in, stored or served; jobs that have their outputs wait with them until their deadline. See the store itself: reachable, not full, credentials valid.',
        ],
      },
    ],
  },
];
