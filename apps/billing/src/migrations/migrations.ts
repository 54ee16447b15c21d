import type { Migration } from '@kinora/database';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddEmails1795916340000 } from './20261129T0139-add-emails';
import { AddUsers1795917480000 } from './20261129T0158-add-users';
import { MarkSessionKeys1795917540000 } from './20261129T0159-mark-session-keys';

export const migrations: Migration[] = [
  Baseline1795876200000,
  AddEmails1795916340000,
  AddUsers1795917480000,
  MarkSessionKeys1795917540000,
];
