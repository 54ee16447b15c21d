import type { Migration } from '@kinora/database';
import { CreateSession1795397400000 } from './20261123T0130-create-session';

export const migrations: Migration[] = [CreateSession1795397400000];
