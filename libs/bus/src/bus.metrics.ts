import { Counter, DURATION_BUCKETS_SECONDS, Gauge, Histogram, LiveGauge } from '@kinora/metrics';

export const requestDuration = new Histogram({
  name: 'kinora_bus_request_duration_seconds',
  help: 'Time of requests that this process sent on the bus, until the answer. Outcome: ok, refused (a fault of this process) or failed.',
  labelNames: ['subject', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const requestsPerMessage = new Histogram({
  name: 'kinora_bus_requests_per_message',
  help: 'Number of requests in each message that left, of contracts that use batches.',
  labelNames: ['subject'],
  buckets: [1, 2, 4, 8, 16, 32],
});

export const handlerDuration = new Histogram({
  name: 'kinora_bus_handler_duration_seconds',
  help: 'Time of requests that this process answered on the bus, each by itself, also if it came in a batch. Outcome: ok, refused (a fault of the caller) or failed.',
  labelNames: ['subject', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const runningHandlers = new LiveGauge({
  name: 'kinora_bus_messages_under_way',
  help: 'Messages that this process is handling; at 2,000 it refuses further ones.',
  labelNames: [],
});

export const eventDuration = new Histogram({
  name: 'kinora_event_duration_seconds',
  help: 'Deliveries of events that this process handled. Outcome: ok, failed (delivered again) or malformed (never delivered again).',
  labelNames: ['subject', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const eventsPending = new Gauge({
  name: 'kinora_events_pending',
  help: 'Events that the stream holds for this service and has not delivered yet, as last reported by the broker.',
  labelNames: ['subject'],
  aggregator: 'max',
});

export const natsConnected = new LiveGauge({
  name: 'kinora_nats_connected',
  help: '1 while the broker is connected, 0 while it is away.',
  labelNames: [],
});

export const natsReconnects = new Counter({
  name: 'kinora_nats_reconnects_total',
  help: 'Number of reconnections to the broker.',
});

export const refusedSubjects = new Gauge({
  name: 'kinora_bus_refused_subjects',
  help: '1 while the broker refuses a right that this service needs: to subscribe to a subject, to consume an event or to publish one. 0 once it was granted.',
  labelNames: ['operation', 'subject'],
  aggregator: 'max',
});
