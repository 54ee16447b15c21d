import { HERE, type RuleGroup, SERVICES, THRESHOLD } from './rule';

const UP = `up{${HERE}, endpoint="internal"}`;

export const PROCESSES: RuleGroup[] = [
  {
    name: 'kinora-processes',
    rules: [
      {
        name: 'KinoraServiceAbsent',
        // Each service by its name: without pods there is no series of it, and no sum over series would show that.
        expr: `${SERVICES} unless on (job) (${UP} == 1)`,
        for: '2m',
        severity: 'critical',
        summary: 'No process of a Kinora service answers Prometheus.',
        runbook: [
          'Check its pods. The last line of their log names an invalid setting; the log of the migration Jobs names a missing migration.',
        ],
      },
      {
        name: 'KinoraEventLoopSlow',
        expr: `max by (job, pod) (nodejs_eventloop_lag_p99_seconds{${HERE}, endpoint="internal"}) > ${THRESHOLD}`,
        threshold: { limit: 0.25, unit: 'seconds' },
        for: '10m',
        severity: 'warning',
        summary: 'A Kinora process answers late because its CPU is saturated.',
        runbook: ['Add replicas of the service, or raise its CPU request.'],
      },
      {
        name: 'KinoraProcessRestarts',
        expr: `changes(process_start_time_seconds{${HERE}, endpoint="internal"}[30m]) > ${THRESHOLD}`,
        threshold: { limit: 2, unit: 'restarts in 30 minutes' },
        severity: 'warning',
        summary: 'A Kinora process restarts repeatedly.',
        runbook: [
          'Its log ends with `service_crashed` and the reason; a lack of memory shows as `OOMKilled` in the last state of its pod.',
        ],
      },
      {
        name: 'KinoraBrokerAway',
        expr: `min by (job, pod) (kinora_nats_connected{${HERE}}) == 0`,
        for: '1m',
        severity: 'critical',
        summary: 'A Kinora process has lost the broker.',
        runbook: [
          'The process reconnects by itself as soon as the broker is back. Meanwhile requests are answered 503, and events stay in their outboxes. Check the broker, and the NetworkPolicy between the two.',
        ],
      },
      {
        name: 'KinoraBrokerRightMissing',
        expr: `max by (job, operation, subject) (kinora_bus_refused_subjects{${HERE}}) == 1`,
        for: '2m',
        severity: 'critical',
        summary: 'The broker refuses a subject that a Kinora service needs.',
        runbook: [
          'The service is not ready, and its log names the subject (`broker_right_missing`). The rights of the broker are older than the service: install those of the release, for the official chart `deploy/helm/nats-users.yaml`, or with the console `nats-console-users.yaml` instead. The service asks again at least every 15 seconds and needs no restart.',
        ],
      },
      {
        name: 'KinoraPoolExhausted',
        expr: `max by (job, pod) (kinora_database_waiting{${HERE}}) > 0 and max by (job, pod) (kinora_database_connections{${HERE}, state="in_use"}) >= max by (job, pod) (kinora_database_connections_max{${HERE}})`,
        for: '10m',
        severity: 'warning',
        summary: 'Requests wait for a connection to PostgreSQL.',
        runbook: [
          'The usual reason is slow statements (`pg_stat_activity`, by `application_name`), then too few replicas of the service, then too small a `DATABASE_POOL_SIZE`.',
        ],
      },
    ],
  },
];
