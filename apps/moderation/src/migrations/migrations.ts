import type { Migration } from '@kinora/database';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddFingerprints1795904160000 } from './20261128T2216-add-fingerprints';
import { AddAppeals1795905180000 } from './20261128T2233-add-appeals';

export const migrations: Migration[] = [Baseline1795876200000, AddFingerprints1795904160000, AddAppeals1795905180000];
