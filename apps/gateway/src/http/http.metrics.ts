import { Counter, DURATION_BUCKETS_SECONDS, Histogram, LiveGauge } from '@kinora/metrics';

export const httpRequestDuration = new Histogram({
  name: 'kinora_http_request_duration_seconds',
  help: 'Requests of clients, from their head to the end of the response, by route template and class of status.',
  labelNames: ['method', 'route', 'status'],
  buckets: DURATION_BUCKETS_SECONDS,
});

export const httpRequestsInFlight = new LiveGauge({
  name: 'kinora_http_requests_in_flight',
  help: 'Requests of clients that have begun and not ended.',
  labelNames: [],
});

export const httpErrors = new Counter({
  name: 'kinora_http_errors_total',
  help: 'Errors that clients were answered, by their code in the API.',
  labelNames: ['code'],
});

export const heldBodyBytes = new LiveGauge({
  name: 'kinora_http_held_body_bytes',
  help: 'Bytes of request bodies that have arrived and are held; where their share of KINORA_BODIES_MAX_BYTES is full, further ones are answered 503.',
  labelNames: [],
});
