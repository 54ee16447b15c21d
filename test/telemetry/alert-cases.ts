/** Series by selector, with their samples in promtool's notation: `0+1x60` begins at 0 and adds 1 sixty times. */
export type Series = Record<string, string>;

/** Series on which an alert must fire at a time, and series on which it must not. */
export interface AlertCase {
  at: string;
  fires: Series;
  quiet: Series;
}

const series = (name: string, labels: string, samples: string): Series => ({
  [`${name}{namespace="kinora", endpoint="internal"${labels && `, ${labels}`}}`]: samples,
});

const SERVICES = ['gateway', 'jobs-api', 'jobs-runner', 'billing', 'moderation', 'catalog', 'webhook-dispatcher'];

/** What Prometheus records of the targets of these services. */
const targets = (services: string[], up = 1): Series =>
  Object.assign({}, ...services.map((job) => series('up', `job="${job}", pod="${job}-0"`, `${up}x240`))) as Series;

/** A gauge that is above its limit for four hours, and one that is at it. */
function gauge(name: string, limit: number, { labels = '', at = '60m' } = {}): AlertCase {
  return { at, fires: series(name, labels, `${limit * 1.1}x240`), quiet: series(name, labels, `${limit}x240`) };
}

/** The time since a moment that a gauge records: the moment stays at 0, or follows the clock. */
function staleness(name: string, at: string): AlertCase {
  return { at, fires: series(name, '', '0x600'), quiet: series(name, '', '0+60x600') };
}

/** A counter by outcome, with this share of failures. */
function failures(
  name: string,
  share: number,
  { labels, bad, at = '60m' }: { labels: string; bad: string; at?: string },
): AlertCase {
  const counted = (failed: number): Series => ({
    ...series(name, `${labels}, outcome="${bad}"`, `0+${failed * 1000}x240`),
    ...series(name, `${labels}, outcome="succeeded"`, `0+${(1 - failed) * 1000}x240`),
  });
  return { at, fires: counted(share * 1.2), quiet: counted(share * 0.8) };
}

export const ALERT_CASES: Record<string, AlertCase> = {
  KinoraLedgerBroken: {
    at: '5m',
    fires: {
      ...series('kinora_ledger_violations', '', '0x240'),
      ...series('kinora_ledger_drift_micros', '', '-1x240'),
    },
    quiet: { ...series('kinora_ledger_violations', '', '0x240'), ...series('kinora_ledger_drift_micros', '', '0x240') },
  },
  KinoraPaymentNotCredited: {
    at: '60m',
    fires: series('kinora_checkout_mismatches_total', 'reason="amount"', '0+1x240'),
    quiet: series('kinora_checkout_mismatches_total', 'reason="amount"', '3x240'),
  },
  KinoraLedgerNotVerified: staleness('kinora_ledger_verified_timestamp_seconds', '7h'),
  KinoraHoldsOld: gauge('kinora_holds_oldest_age_seconds', 7_200),
  KinoraEmailsLate: gauge('kinora_emails_oldest_age_seconds', 900),
  KinoraMoneyNotSettled: gauge('kinora_jobs_oldest_unsettled_age_seconds', 300),
  KinoraModerationGateOpen: {
    at: '5m',
    fires: series('kinora_moderation_canary_blocked', '', '0x240'),
    quiet: series('kinora_moderation_canary_blocked', '', '1x240'),
  },
  KinoraModerationCanaryStale: staleness('kinora_moderation_canary_timestamp_seconds', '10m'),
  KinoraModerationEngineFails: failures('kinora_moderation_engine_duration_seconds_count', 0.05, {
    labels: 'engine="openai"',
    bad: 'failed',
  }),
  // A model whose jobs may wait a minute: its oldest job is never older, as an age of ten minutes would demand.
  KinoraQueueOld: gauge('kinora_jobs_queue_timeout_used_ratio', 0.5, { labels: 'model="fast-image"' }),
  KinoraProviderInTrouble: {
    at: '30m',
    fires: series('kinora_provider_breaker_open', 'provider="gpu-a"', '1x240'),
    quiet: {
      ...series('kinora_provider_breaker_open', 'provider="gpu-a", pod="a"', '1x240'),
      ...series('kinora_provider_breaker_open', 'provider="gpu-a", pod="b"', '0x240'),
    },
  },
  KinoraProviderFailsJobs: failures('kinora_provider_attempts_total', 0.2, { labels: 'provider="gpu-a"', bad: 'lost' }),
  KinoraWebhooksOverdue: gauge('kinora_webhook_overdue_seconds', 120),
  KinoraOutboxStuck: gauge('kinora_outbox_oldest_age_seconds', 60, { labels: 'job="jobs-api"' }),
  KinoraPartitionsMissing: {
    at: '90m',
    fires: series('kinora_partition_days_left', 'table="decision"', '30x240'),
    quiet: series('kinora_partition_days_left', 'table="decision"', '31x240'),
  },
  KinoraPartitionsLate: gauge('kinora_partition_days_late', 31, { labels: 'table="job"' }),
  KinoraEventsPending: gauge('kinora_events_pending', 1_000, { labels: 'job="billing", subject="a"' }),
  KinoraObjectStoreFails: failures('kinora_object_store_operation_duration_seconds_count', 0.01, {
    labels: 'operation="put"',
    bad: 'failed',
  }),
  KinoraOutputsUnsigned: {
    at: '20m',
    fires: series('kinora_outputs_unsigned_total', 'reason="expired"', '0+1x240'),
    quiet: series('kinora_outputs_unsigned_total', 'reason="no_certificate"', '0+1x240'),
  },
  KinoraMarkerFails: {
    at: '20m',
    fires: series('kinora_marker_faults_total', 'outcome="stored"', '0+1x240'),
    quiet: series('kinora_marker_faults_total', 'outcome="stored"', '5x240'),
  },
  KinoraCertificateExpires: {
    at: '30m',
    fires: series('kinora_credential_certificate_expires_in_seconds', '', '864000x240'),
    quiet: series('kinora_credential_certificate_expires_in_seconds', '', '8640000x240'),
  },
  KinoraTimeStampsMissing: {
    at: '40m',
    fires: series('kinora_output_time_stamps_missing_total', '', '0+1x240'),
    quiet: series('kinora_output_time_stamps_missing_total', '', '5x240'),
  },
  // One service has no pods, so Prometheus has no series of it.
  KinoraServiceAbsent: {
    at: '10m',
    fires: targets(SERVICES.filter((service) => service !== 'catalog')),
    quiet: { ...targets(SERVICES), ...series('up', 'job="billing", pod="billing-1"', '0x240') },
  },
  KinoraEventLoopSlow: gauge('nodejs_eventloop_lag_p99_seconds', 0.25, { labels: 'job="gateway", pod="a"' }),
  KinoraProcessRestarts: {
    at: '40m',
    fires: series('process_start_time_seconds', 'pod="a"', '0x10 600x5 900x5 1200x240'),
    quiet: series('process_start_time_seconds', 'pod="a"', '0x10 600x5 900x240'),
  },
  KinoraBrokerAway: {
    at: '5m',
    fires: series('kinora_nats_connected', 'job="gateway", pod="a"', '0x240'),
    quiet: series('kinora_nats_connected', 'job="gateway", pod="a"', '1x240'),
  },
  KinoraBrokerRightMissing: {
    at: '5m',
    fires: series('kinora_bus_refused_subjects', 'job="jobs", operation="subscribe", subject="a"', '1x240'),
    quiet: series('kinora_bus_refused_subjects', 'job="jobs", operation="subscribe", subject="a"', '0x240'),
  },
  KinoraPoolExhausted: {
    at: '30m',
    fires: {
      ...series('kinora_database_waiting', 'job="billing", pod="a"', '3x240'),
      ...series('kinora_database_connections', 'job="billing", pod="a", state="in_use"', '8x240'),
      ...series('kinora_database_connections_max', 'job="billing", pod="a"', '8x240'),
    },
    quiet: {
      ...series('kinora_database_waiting', 'job="billing", pod="a"', '3x240'),
      ...series('kinora_database_connections', 'job="billing", pod="a", state="in_use"', '7x240'),
      ...series('kinora_database_connections_max', 'job="billing", pod="a"', '8x240'),
    },
  },
};

/** A histogram that counts all observations and those within a bound, as its rule reads it. */
const histogram = (name: string, bound: string, share: number, minutes: number): Series => ({
  ...series(`${name}_count`, '', `0+1000x${minutes}`),
  ...series(`${name}_bucket`, `le="${bound}"`, `0+${(1 - share) * 1000}x${minutes}`),
});

const CREATIONS = 'method="POST", route="/v1/images/generations"';
const creations = (share: number, minutes: number): Series => ({
  ...series('kinora_http_request_duration_seconds_count', `${CREATIONS}, status="5xx"`, `0+${share * 1000}x${minutes}`),
  ...series(
    'kinora_http_request_duration_seconds_count',
    `${CREATIONS}, status="2xx"`,
    `0+${(1 - share) * 1000}x${minutes}`,
  ),
});

/** Objectives with the error budget and the series of a loss of a share of all events. */
const OBJECTIVES: [string, number, (share: number, minutes: number) => Series][] = [
  ['KinoraCreationUnavailable', 0.001, creations],
  ['KinoraCreationSlow', 0.01, (...loss) => histogram('kinora_job_acceptance_duration_seconds', '1', ...loss)],
  ['KinoraJobsStartLate', 0.05, (...loss) => histogram('kinora_job_start_seconds', '60', ...loss)],
  ['KinoraWebhooksLate', 0.01, (...loss) => histogram('kinora_webhook_first_attempt_delay_seconds', '10', ...loss)],
];

/** Burn rates of 14.4 over an hour, and of 1 over three days. */
export const FAST_CASES: Record<string, AlertCase> = Object.fromEntries(
  OBJECTIVES.map(([alert, budget, loss]) => [
    alert,
    { at: '90m', fires: loss(budget * 16, 120), quiet: loss(budget * 5, 120) },
  ]),
);
export const SLOW_CASES: Record<string, AlertCase> = Object.fromEntries(
  OBJECTIVES.map(([alert, budget, loss]) => [
    `${alert}Slowly`,
    { at: '76h', fires: loss(budget * 1.5, 4_600), quiet: loss(budget * 0.7, 4_600) },
  ]),
);
