import type { Migration } from '@kinora/database';
import { CreateDecisionAndStrike1795165200000 } from './20261120T0900-create-decision-and-strike';

export const migrations: Migration[] = [CreateDecisionAndStrike1795165200000];
