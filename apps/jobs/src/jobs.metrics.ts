import { Counter, DURATION_BUCKETS_SECONDS, Gauge, Histogram, LiveGauge, WAIT_BUCKETS_SECONDS } from '@kinora/metrics';

export const jobsCreated = new Counter({
  name: 'kinora_jobs_accepted_total',
  help: 'Jobs that were created.',
  labelNames: ['kind', 'model'],
});

export const jobCreation = new Histogram({
  name: 'kinora_job_acceptance_duration_seconds',
  help: 'Time to create a job: to resolve, screen, reserve and store it. The time that a create waits for the end of its job is not included.',
  labelNames: ['kind'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const quotedJobs = new Counter({
  name: 'kinora_jobs_quoted_total',
  help: 'Jobs created at the price of a quote. Held: the price is the same as that of the price list at the creation, below it, or above it.',
  labelNames: ['model', 'held'],
});

export const quoteShortfall = new Counter({
  name: 'kinora_jobs_quote_shortfall_micros_total',
  help: 'Micro-USD by which prices of quotes were below the price list at the creation of their jobs, refunded jobs included.',
  labelNames: ['model'],
});

export const jobsEnded = new Counter({
  name: 'kinora_jobs_ended_total',
  help: 'Jobs that ended, by status; error is the error code of failed jobs, and none otherwise.',
  labelNames: ['model', 'status', 'error'],
});

export const jobStart = new Histogram({
  name: 'kinora_job_start_seconds',
  help: 'Time from the creation of a job to its start at a provider, or to its end if it failed before the start. Observed at its end.',
  labelNames: ['model'],
  buckets: WAIT_BUCKETS_SECONDS,
});

export const jobDuration = new Histogram({
  name: 'kinora_job_duration_seconds',
  help: 'Time from the creation of a job to its end.',
  labelNames: ['model', 'status'],
  buckets: WAIT_BUCKETS_SECONDS,
});

export const jobGpu = new Counter({
  name: 'kinora_job_gpu_seconds_total',
  help: 'GPU time of ended jobs, as providers report it.',
  labelNames: ['model'],
});

export const jobsInFlight = new Gauge({
  name: 'kinora_jobs_in_flight',
  help: 'Jobs that have not ended, by model and status (queued or processing), among the 20,000 with the next deadlines.',
  labelNames: ['model', 'status'],
  aggregator: 'max',
});

export const oldestQueuedJobAge = new Gauge({
  name: 'kinora_jobs_oldest_queued_age_seconds',
  help: 'Age of the oldest waiting job of a model; absent if none waits.',
  labelNames: ['model'],
  aggregator: 'max',
});

export const queueTimeoutUsed = new Gauge({
  name: 'kinora_jobs_queue_timeout_used_ratio',
  help: 'Largest share of its queue timeout that a waiting job of a model has used; absent if none waits.',
  labelNames: ['model'],
  aggregator: 'max',
});

export const unsettledJobs = new Gauge({
  name: 'kinora_jobs_unsettled',
  help: 'Ended jobs whose capture or refund billing has not acknowledged yet, counted up to 10,000.',
  aggregator: 'max',
});

export const oldestUnsettledJobAge = new Gauge({
  name: 'kinora_jobs_oldest_unsettled_age_seconds',
  help: 'Time since the end of the oldest job whose capture or refund is not acknowledged; 0 if there is none.',
  aggregator: 'max',
});

export const providerCallDuration = new Histogram({
  name: 'kinora_provider_call_duration_seconds',
  help: 'Calls of providers. Operation: submit, status or cancel. Outcome: the answer of the provider, or unreachable.',
  labelNames: ['provider', 'operation', 'outcome'],
  buckets: [...DURATION_BUCKETS_SECONDS, 120, 600],
});

export const attemptsEnded = new Counter({
  name: 'kinora_provider_attempts_total',
  help: 'Attempts that ended at a provider, by outcome, without those that were canceled or timed out.',
  labelNames: ['provider', 'outcome'],
});

export const providerConcurrency = new LiveGauge({
  name: 'kinora_provider_concurrency',
  help: 'Upper bound of tasks at a provider over all processes, or what its server reports if that is less. Every process reports the same value.',
  labelNames: ['provider'],
});

export const providerTasks = new Gauge({
  name: 'kinora_provider_tasks',
  help: 'Tasks in progress at a provider over all processes.',
  labelNames: ['provider'],
  aggregator: 'max',
});

export const providerHour = new Gauge({
  name: 'kinora_provider_last_hour_seconds',
  help: 'Seconds of the last hour that an instance which loads models was running, loading, idle, or unknown (its task was lost or canceled).',
  labelNames: ['provider', 'state'],
  aggregator: 'max',
});

export const providerBreakerOpen = new LiveGauge({
  name: 'kinora_provider_breaker_open',
  help: '1 while the circuit breaker of this process for a provider is open or half-open; otherwise 0.',
  labelNames: ['provider'],
});

export const callbacks = new Counter({
  name: 'kinora_provider_callbacks_total',
  help: 'Callbacks of providers, by outcome: heard, or refused without a valid signature. The provider label is unknown if no such provider exists.',
  labelNames: ['provider', 'outcome'],
});

export const unsignedOutputs = new Counter({
  name: 'kinora_outputs_unsigned_total',
  help: 'Outputs that were stored without content credentials. Reason: no_certificate, expired, or failed, where the key or the library did.',
  labelNames: ['reason'],
});

export const missingTimeStamps = new Counter({
  name: 'kinora_output_time_stamps_missing_total',
  help: 'Outputs whose credentials have no time stamp because the authority did not give one.',
});

export const markerFaults = new Counter({
  name: 'kinora_marker_faults_total',
  help: 'Outputs that the marker did not mark although their route asks for it. Outcome: stored without a watermark, or delayed.',
  labelNames: ['outcome'],
});

export const droppedCredentials = new Counter({
  name: 'kinora_credentials_dropped_total',
  help: 'Files with credentials that were not kept because they cannot be read. Origin: input of a client, or output of a backend.',
  labelNames: ['origin'],
});

export const certificateExpiry = new LiveGauge({
  name: 'kinora_credential_certificate_expires_in_seconds',
  help: 'Time until the certificate that signs content credentials expires; negative afterwards. Absent without a certificate.',
  labelNames: [],
});
