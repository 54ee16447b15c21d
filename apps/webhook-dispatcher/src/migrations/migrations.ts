import type { Migration } from '@kinora/database/without-nest';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { BoundFirstDeliveries1795962600000 } from './20261129T1430-bound-first-deliveries';
import { ValidateFirstDeliveries1795962660000 } from './20261129T1431-validate-first-deliveries';
import { PartitionDeliveries1795962720000 } from './20261129T1432-partition-deliveries';

export const migrations: Migration[] = [
  Baseline1795876200000,
  BoundFirstDeliveries1795962600000,
  ValidateFirstDeliveries1795962660000,
  PartitionDeliveries1795962720000,
];
