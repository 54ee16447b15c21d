import type { Migration } from '@kinora/database';
import { CreateSession1795397400000 } from './20261123T0130-create-session';
import { LogRequests1795398600000 } from './20261123T0150-log-requests';
import { AddOperators1795398660000 } from './20261123T0151-add-operators';
import { KeepCheckResults1795411200000 } from './20261123T0520-keep-check-results';
import { MarkConsoleRequests1795425360000 } from './20261123T0916-mark-console-requests';

export const migrations: Migration[] = [
  CreateSession1795397400000,
  LogRequests1795398600000,
  AddOperators1795398660000,
  KeepCheckResults1795411200000,
  MarkConsoleRequests1795425360000,
];
