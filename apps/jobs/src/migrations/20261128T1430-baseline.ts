import { BaselineMigration } from '@kinora/database/without-nest';
import { ATTEMPT, CANCELED_WORK, ORPHAN_SWEEP, RUN_TIME } from './baseline/attempt';
import { EVENT_FEED, NUMBER_EVENTS, OUTBOX, RECEIPT_KEY, USAGE, USAGE_PENDING } from './baseline/ended-job';
import { IDEMPOTENCY_KEY, JOB, JOB_GUARDS, JOB_INDEXES, JOB_RULES, TOMBSTONE, UNKEYED_REQUEST } from './baseline/job';

/**
 * Why: jobs, their attempts, the claims of their creations, and what follows from their ends.
 * Lock: none, the tables are new. Way back: none, it is the first migration.
 */
export class Baseline1795876200000 extends BaselineMigration {
  readonly name = 'Baseline1795876200000';
  readonly replaces = 'DropUnansweredRequests1795543020000';
  protected readonly schema = [
    ...[JOB_RULES, JOB, JOB_INDEXES, JOB_GUARDS, TOMBSTONE, IDEMPOTENCY_KEY, UNKEYED_REQUEST],
    ...[ATTEMPT, CANCELED_WORK, RUN_TIME, ORPHAN_SWEEP],
    ...[USAGE, USAGE_PENDING, EVENT_FEED, NUMBER_EVENTS, RECEIPT_KEY, OUTBOX],
  ];
}
