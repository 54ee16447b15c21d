import type { Migration } from '@kinora/database';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddInstanceRuns1795892220000 } from './20261128T1857-add-instance-runs';
import { AddEndsOfInstanceRuns1795902600000 } from './20261128T2150-add-ends-of-instance-runs';

export const migrations: Migration[] = [
  Baseline1795876200000,
  AddInstanceRuns1795892220000,
  AddEndsOfInstanceRuns1795902600000,
];
