import { healthCheck } from '../shared/health';

export const catalogHealthRpc = {
  check: healthCheck('catalog'),
} as const;
