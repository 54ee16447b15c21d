import type { Migration } from '@kinora/database/without-nest';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddPriceChanges1795938000000 } from './20261129T0740-add-price-changes';

export const migrations: Migration[] = [Baseline1795876200000, AddPriceChanges1795938000000];
