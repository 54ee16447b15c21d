import type { Migration } from '@kinora/database';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddEmails1795916340000 } from './20261129T0139-add-emails';

export const migrations: Migration[] = [Baseline1795876200000, AddEmails1795916340000];
