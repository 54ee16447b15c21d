import { healthCheck } from '../shared/health';

export const webhooksHealthRpc = {
  check: healthCheck('webhooks'),
} as const;
