import type { Migration } from '@kinora/database/without-nest';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddInstanceRuns1795892220000 } from './20261128T1857-add-instance-runs';
import { AddEndsOfInstanceRuns1795902600000 } from './20261128T2150-add-ends-of-instance-runs';
import { BoundFirstJobs1795950000000 } from './20261129T1100-bound-first-jobs';
import { ValidateFirstJobs1795950060000 } from './20261129T1101-validate-first-jobs';
import { PartitionJobs1795950120000 } from './20261129T1102-partition-jobs';
import { ListAccountMonths1795974300000 } from './20261129T1745-list-account-months';

export const migrations: Migration[] = [
  Baseline1795876200000,
  AddInstanceRuns1795892220000,
  AddEndsOfInstanceRuns1795902600000,
  BoundFirstJobs1795950000000,
  ValidateFirstJobs1795950060000,
  PartitionJobs1795950120000,
  ListAccountMonths1795974300000,
];
