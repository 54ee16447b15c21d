import { DURATION_BUCKETS_SECONDS, Histogram } from '@kinora/metrics';

export const operationDuration = new Histogram({
  name: 'kinora_object_store_operation_duration_seconds',
  help: 'Operations on the object store; for open, until the first byte can be read. Outcome: ok, missing or failed.',
  labelNames: ['operation', 'outcome'],
  buckets: DURATION_BUCKETS_SECONDS,
});
