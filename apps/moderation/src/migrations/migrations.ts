import type { Migration } from '@kinora/database/without-nest';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddFingerprints1795904160000 } from './20261128T2216-add-fingerprints';
import { AddAppeals1795905180000 } from './20261128T2233-add-appeals';
import { BoundFirstDecisions1795939200000 } from './20261129T0800-bound-first-decisions';
import { ValidateFirstDecisions1795939260000 } from './20261129T0801-validate-first-decisions';
import { PartitionDecisions1795939320000 } from './20261129T0802-partition-decisions';
import { AddLuminances1795950900000 } from './20261129T1115-add-luminances';
import { LengthenBands1795950960000 } from './20261129T1116-lengthen-bands';

export const migrations: Migration[] = [
  Baseline1795876200000,
  AddFingerprints1795904160000,
  AddAppeals1795905180000,
  BoundFirstDecisions1795939200000,
  ValidateFirstDecisions1795939260000,
  PartitionDecisions1795939320000,
  AddLuminances1795950900000,
  LengthenBands1795950960000,
];
