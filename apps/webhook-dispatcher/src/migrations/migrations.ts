import type { Migration } from '@kinora/database';
import { CreateDelivery1795165200000 } from './20261120T0900-create-delivery';
import { ScheduleAttempts1795189800000 } from './20261120T1550-schedule-attempts';
import { IndexRedeliveries1795198200000 } from './20261120T1810-index-redeliveries';
import { TraceDeliveries1795209000000 } from './20261120T2110-trace-deliveries';
import { KeepHotTablesLean1795213200000 } from './20261120T2220-keep-hot-tables-lean';
import { IndexExhaustedDeliveries1795223400000 } from './20261121T0110-index-exhausted-deliveries';
import { KeepForgottenHorizon1795356000000 } from './20261122T1400-keep-forgotten-horizon';
import { DeleteContent1795385700000 } from './20261122T2215-delete-content';
import { KeepAnswers1795387680000 } from './20261122T2248-keep-answers';
import { IndexRequestedDeliveries1795387740000 } from './20261122T2249-index-requested-deliveries';

export const migrations: Migration[] = [
  CreateDelivery1795165200000,
  ScheduleAttempts1795189800000,
  IndexRedeliveries1795198200000,
  TraceDeliveries1795209000000,
  KeepHotTablesLean1795213200000,
  IndexExhaustedDeliveries1795223400000,
  KeepForgottenHorizon1795356000000,
  DeleteContent1795385700000,
  KeepAnswers1795387680000,
  IndexRequestedDeliveries1795387740000,
];
