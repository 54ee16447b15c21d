import { healthCheck } from '../shared/health';

export const jobsHealthRpc = {
  check: healthCheck('jobs'),
} as const;
