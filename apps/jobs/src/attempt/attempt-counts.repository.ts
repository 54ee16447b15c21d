import { Injectable } from '@nestjs/common';
import { Database, statement } from '@kinora/database';
import type { UnknownAttempt } from '@kinora/contracts/jobs/jobs-admin.rpc';

/** Open attempts at one instance. */
export interface InstanceCountRow {
  provider: string;
  /** Those that take a place. */
  placed: number;
  /** Those that were sent and whose answer was lost. */
  unknown: number;
}

/** A bound for the statements: more open attempts than an installation runs. */
const MAX_OPEN = 20_000;

const COUNT = statement(
  'attempt_count_by_instance',
  `SELECT provider, count(*) FILTER (WHERE state <> 'collecting' AND NOT parked) AS placed,
          count(*) FILTER (WHERE state = 'unknown') AS unknown
     FROM (SELECT provider, state, parked FROM attempt WHERE state <> 'ended'
            ORDER BY provider, next_check_at LIMIT ${MAX_OPEN}) AS open
    GROUP BY provider ORDER BY provider`,
);

const LIST_UNKNOWN = statement(
  'attempt_list_unknown',
  `SELECT job_id, number, provider, checked_at
     FROM (SELECT job_id, number, provider, checked_at, state FROM attempt WHERE state <> 'ended'
            ORDER BY provider, next_check_at LIMIT ${MAX_OPEN}) AS open
    WHERE state = 'unknown' ORDER BY checked_at, job_id LIMIT 100`,
);

/** Counts of open attempts for operators. Callers cache them. */
@Injectable()
export class AttemptCountsRepository {
  constructor(private readonly database: Database) {}

  countByInstance(): Promise<InstanceCountRow[]> {
    return this.database.query<InstanceCountRow>(COUNT);
  }

  /** The attempts whose state is unknown, longest unknown first. */
  listUnknown(): Promise<(Omit<UnknownAttempt, 'checked_at'> & { checked_at: Date })[]> {
    return this.database.query<Omit<UnknownAttempt, 'checked_at'> & { checked_at: Date }>(LIST_UNKNOWN);
  }
}
