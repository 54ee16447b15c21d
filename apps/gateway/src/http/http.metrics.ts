import { Counter, DURATION_BUCKETS_SECONDS, Histogram, LiveGauge } from '@kinora/metrics';

export const httpRequestDuration = new Histogram({
  name: 'kinora_http_request_duration_seconds',
  help: 'Client requests, from their head to the end of the response, by route template and status class.',
  labelNames: ['method', 'route', 'status'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const httpRequestsInFlight = new LiveGauge({
  name: 'kinora_http_requests_in_flight',
  help: 'Client requests that are being processed.',
  labelNames: [],
});

export const httpErrors = new Counter({
  name: 'kinora_http_errors_total',
  help: 'Error responses to clients, by error code of the API.',
  labelNames: ['code'],
});

export const heldBodyBytes = new LiveGauge({
  name: 'kinora_http_held_body_bytes',
  help: 'Bytes of request bodies that have arrived and are in memory. When their share of KINORA_BODIES_MAX_BYTES is full, further bodies are answered 503.',
  labelNames: [],
});

export const openStreams = new LiveGauge({
  name: 'kinora_http_event_streams',
  help: 'Event streams (text/event-stream) that are open at this process.',
  labelNames: [],
});

export const waitingRequests = new LiveGauge({
  name: 'kinora_http_waiting_requests',
  help: 'Requests with Prefer: wait that this process holds until their job ends.',
  labelNames: [],
});

export const loggedRequests = new Counter({
  name: 'kinora_http_logged_requests_total',
  help: 'Requests for the request log of the console, by outcome: published, or dropped because too many were waiting or the broker was away.',
  labelNames: ['outcome'],
});

export const stripeEvents = new Counter({
  name: 'kinora_stripe_events_total',
  help: "Stripe's webhooks, by outcome: handled, ignored or refused (signature).",
  labelNames: ['outcome'],
});
