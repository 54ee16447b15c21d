import type { Migration } from '@kinora/database/without-nest';
import { Baseline1795876200000 } from './20261128T1430-baseline';
import { AddMembersSessions1795917480000 } from './20261129T0158-add-members-sessions';
import { DescribeRequests1795937760000 } from './20261129T0736-describe-requests';
import { CheckBackups1795937820000 } from './20261129T0737-check-backups';

export const migrations: Migration[] = [
  Baseline1795876200000,
  AddMembersSessions1795917480000,
  DescribeRequests1795937760000,
  CheckBackups1795937820000,
];
