import type { Migration } from '@kinora/database';
import { CreateDecisionAndStrike1795165200000 } from './20261120T0900-create-decision-and-strike';
import { RecordScores1795201200000 } from './20261120T1900-record-scores';
import { LiftStrikes1795201800000 } from './20261120T1910-lift-strikes';
import { CountJudgedTexts1795208400000 } from './20261120T2100-count-judged-texts';
import { TraceEvents1795209000000 } from './20261120T2110-trace-events';
import { IndexBlockedDecisions1795222800000 } from './20261121T0100-index-blocked-decisions';
import { CreateRehearsalAccount1795363200000 } from './20261122T1600-create-rehearsal-account';

export const migrations: Migration[] = [
  CreateDecisionAndStrike1795165200000,
  RecordScores1795201200000,
  LiftStrikes1795201800000,
  CountJudgedTexts1795208400000,
  TraceEvents1795209000000,
  IndexBlockedDecisions1795222800000,
  CreateRehearsalAccount1795363200000,
];
