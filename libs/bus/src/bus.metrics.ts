import { Counter, DURATION_BUCKETS_SECONDS, Gauge, Histogram, LiveGauge } from '@kinora/metrics';

export const requestDuration = new Histogram({
  name: 'kinora_bus_request_duration_seconds',
  help: 'What this process asked others on the bus, from the request to its answer. Outcome: ok, refused (by its own fault) or failed.',
  labelNames: ['subject', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const requestsPerMessage = new Histogram({
  name: 'kinora_bus_requests_per_message',
  help: 'Requests that left together in one message, of contracts that travel in sets.',
  labelNames: ['subject'],
  buckets: [1, 2, 4, 8, 16, 32],
});

export const handlerDuration = new Histogram({
  name: 'kinora_bus_handler_duration_seconds',
  help: 'Requests that this process answered on the bus, each by itself, also where they came in a set. Outcome: ok, refused (by the fault of who asks) or failed.',
  labelNames: ['subject', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const runningHandlers = new LiveGauge({
  name: 'kinora_bus_messages_under_way',
  help: 'Messages that this process is working on; at 2,000 it refuses further ones.',
  labelNames: [],
});

export const eventDuration = new Histogram({
  name: 'kinora_event_duration_seconds',
  help: 'Deliveries of events that this process worked on. Outcome: ok, failed (it comes again) or malformed (it never does).',
  labelNames: ['subject', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const eventsPending = new Gauge({
  name: 'kinora_events_pending',
  help: 'Events that the stream holds for this service and has not delivered yet, as the broker last said to this process.',
  labelNames: ['subject'],
  aggregator: 'max',
});

export const natsConnected = new LiveGauge({
  name: 'kinora_nats_connected',
  help: '1 while the broker is there, 0 while it is away.',
  labelNames: [],
});

export const natsReconnects = new Counter({
  name: 'kinora_nats_reconnects_total',
  help: 'How often the broker was away and came back.',
});
