import { JOBS } from './jobs';
import { MODERATION, MONEY } from './money-and-moderation';
import { OVERVIEW } from './overview';
import type { Dashboard } from './panel';
import { RUNTIME } from './runtime';
import { WEBHOOKS } from './webhooks';

export const DASHBOARDS: Dashboard[] = [OVERVIEW, JOBS, MONEY, WEBHOOKS, MODERATION, RUNTIME];
