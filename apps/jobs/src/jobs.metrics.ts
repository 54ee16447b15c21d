import { Counter, DURATION_BUCKETS_SECONDS, Gauge, Histogram, LiveGauge, WAIT_BUCKETS_SECONDS } from '@kinora/metrics';

export const jobsCreated = new Counter({
  name: 'kinora_jobs_accepted_total',
  help: 'Jobs that were accepted.',
  labelNames: ['kind', 'model'],
});

export const jobCreation = new Histogram({
  name: 'kinora_job_acceptance_duration_seconds',
  help: 'What it took to accept a job: resolved, screened, reserved and stored. How long its creation may wait for its end is not in it.',
  labelNames: ['kind'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const jobsEnded = new Counter({
  name: 'kinora_jobs_ended_total',
  help: 'Jobs that ended, by status; error is the code of those that failed, and none for the others.',
  labelNames: ['model', 'status', 'error'],
});

export const jobStart = new Histogram({
  name: 'kinora_job_start_seconds',
  help: 'From the acceptance of a job to its start at a provider; of a job that failed without having started, to its end. Told at its end.',
  labelNames: ['model'],
  buckets: WAIT_BUCKETS_SECONDS,
});

export const jobDuration = new Histogram({
  name: 'kinora_job_duration_seconds',
  help: 'From the acceptance of a job to its end.',
  labelNames: ['model', 'status'],
  buckets: WAIT_BUCKETS_SECONDS,
});

export const jobGpu = new Counter({
  name: 'kinora_job_gpu_seconds_total',
  help: 'GPU time that providers told of ended jobs.',
  labelNames: ['model'],
});

export const jobsInFlight = new Gauge({
  name: 'kinora_jobs_in_flight',
  help: 'Jobs that have not ended, by model and status (queued or processing), of the 20,000 whose deadlines are next.',
  labelNames: ['model', 'status'],
  aggregator: 'max',
});

export const oldestQueuedJobAge = new Gauge({
  name: 'kinora_jobs_oldest_queued_age_seconds',
  help: 'How long the job has waited that has waited longest for a model; absent where none waits.',
  labelNames: ['model'],
  aggregator: 'max',
});

export const unsettledJobs = new Gauge({
  name: 'kinora_jobs_unsettled',
  help: 'Ended jobs whose money billing has not acknowledged yet, counted up to 10,000.',
  aggregator: 'max',
});

export const oldestUnsettledJobAge = new Gauge({
  name: 'kinora_jobs_oldest_unsettled_age_seconds',
  help: 'How long ago the job ended whose money has waited longest; 0 where none waits.',
  aggregator: 'max',
});

export const providerCallDuration = new Histogram({
  name: 'kinora_provider_call_duration_seconds',
  help: 'Calls of providers. Operation: submit, status or cancel. Outcome: what the provider answered, or unreachable.',
  labelNames: ['provider', 'operation', 'outcome'],
  buckets: [...DURATION_BUCKETS_SECONDS, 120, 600],
});

export const attemptsEnded = new Counter({
  name: 'kinora_provider_attempts_total',
  help: 'Attempts that came to an end at a provider, by outcome. What clients canceled or what ran out of time is not among them.',
  labelNames: ['provider', 'outcome'],
});

export const providerConcurrency = new LiveGauge({
  name: 'kinora_provider_concurrency',
  help: 'Tasks that a provider may be given at once over all processes, at most: fewer where its server works on fewer. Every process says the same.',
  labelNames: ['provider'],
});

export const providerTasks = new Gauge({
  name: 'kinora_provider_tasks',
  help: 'Tasks that are under way at a provider over all processes.',
  labelNames: ['provider'],
  aggregator: 'max',
});

export const providerBreakerOpen = new LiveGauge({
  name: 'kinora_provider_breaker_open',
  help: '1 while this process sends a provider nothing, or one task to try it, because of trouble; otherwise 0.',
  labelNames: ['provider'],
});

export const callbacks = new Counter({
  name: 'kinora_provider_callbacks_total',
  help: 'Callbacks of providers, by their outcome: heard, or refused for want of a signature. Whom nobody knows is unknown.',
  labelNames: ['provider', 'outcome'],
});
