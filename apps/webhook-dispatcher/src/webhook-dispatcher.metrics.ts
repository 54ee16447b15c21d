import { Counter, DURATION_BUCKETS_SECONDS, Gauge, Histogram, WAIT_BUCKETS_SECONDS } from '@kinora/metrics';

export const webhookAttemptDuration = new Histogram({
  name: 'kinora_webhook_attempt_duration_seconds',
  help: 'Attempts at receivers. Outcome: delivered, or the class of the failure.',
  labelNames: ['outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const firstAttemptDelay = new Histogram({
  name: 'kinora_webhook_first_attempt_delay_seconds',
  help: 'Time from the writing of a delivery, at the end of its job, to the answer of its first attempt.',
  labelNames: [],
  buckets: WAIT_BUCKETS_SECONDS,
});

export const deliveriesEnded = new Counter({
  name: 'kinora_webhook_deliveries_ended_total',
  help: 'Deliveries that were delivered, or exhausted after the last retry.',
  labelNames: ['status'],
});

export const pendingDeliveries = new Gauge({
  name: 'kinora_webhook_deliveries_pending',
  help: 'Deliveries that are due or wait for a retry, counted up to 20,000.',
  aggregator: 'max',
});

export const oldestPendingAge = new Gauge({
  name: 'kinora_webhook_oldest_pending_age_seconds',
  help: 'Age of the oldest pending delivery; 0 if there is none. Retries go on for hours.',
  aggregator: 'max',
});

export const overdueAge = new Gauge({
  name: 'kinora_webhook_overdue_seconds',
  help: 'How long the longest overdue attempt has been due; 0 if no attempt is due.',
  aggregator: 'max',
});
