import type { Migration } from '@kinora/database';
import { Baseline1795876200000 } from './20261128T1430-baseline';

export const migrations: Migration[] = [Baseline1795876200000];
