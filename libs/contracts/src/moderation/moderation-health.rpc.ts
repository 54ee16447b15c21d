import { healthCheck } from '../shared/health';

export const moderationHealthRpc = {
  check: healthCheck('moderation'),
} as const;
