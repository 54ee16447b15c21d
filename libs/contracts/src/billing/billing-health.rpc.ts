import { healthCheck } from '../shared/health';

export const billingHealthRpc = {
  check: healthCheck('billing'),
} as const;
