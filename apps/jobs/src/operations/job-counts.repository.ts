import { Injectable } from '@nestjs/common';
import type { UnknownAttempt } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { Database, statement, inOpenMonths } from '@kinora/database';

/** A bound for the statement. The jobs with the next deadlines include, with few exceptions, those that have waited longest. */
const COUNT_IN_FLIGHT = statement(
  'job_count_in_flight',
  `SELECT model, status, count(*) AS jobs,
          extract(epoch FROM clock_timestamp() - min(created_at))::double precision AS oldest_age,
          max(extract(epoch FROM clock_timestamp() - created_at)
              / nullif(extract(epoch FROM deadline_at - created_at), 0))::double precision AS timeout_used
     FROM (SELECT model, status, created_at, deadline_at FROM job
            WHERE deadline_at IS NOT NULL AND ${inOpenMonths('id')} ORDER BY deadline_at LIMIT 20000) AS in_flight
    GROUP BY model, status`,
);

const COUNT_UNSETTLED = statement(
  'job_count_unsettled',
  `SELECT count(*) AS jobs,
          coalesce(extract(epoch FROM clock_timestamp() - min(completed_at)), 0)::double precision AS oldest_age
     FROM (SELECT completed_at FROM job
            WHERE completed_at IS NOT NULL AND settled_at IS NULL AND hold_ended_at IS NULL AND ${inOpenMonths('id')}
            ORDER BY coalesce(hold_retry_at, completed_at) LIMIT 10000) AS unsettled`,
);

const COUNT_TASKS = statement(
  'attempt_count_tasks',
  `SELECT provider, count(*) AS tasks
     FROM (SELECT provider FROM attempt WHERE state <> 'ended' AND ${inOpenMonths('job_id')} ORDER BY provider, next_check_at LIMIT 20000) AS open
    GROUP BY provider`,
);

export interface ModelQueueRow {
  model: string;
  status: 'queued' | 'processing';
  jobs: number;
  oldest_age: number;
  /** Of a queued job, whose deadline is the end of its queue timeout. */
  timeout_used: number | null;
}

/** Failed jobs of one code, created at two bounds or later. */
export interface FailureCountRow {
  code: string;
  last_hour: number;
  last_day: number;
}

/** The index `job_failed` holds only failed jobs, and both columns. */
const COUNT_FAILURES = statement(
  'job_count_failures',
  `SELECT error_code AS code, count(*) FILTER (WHERE id >= $2::uuid) AS last_hour, count(*) AS last_day
     FROM (SELECT id, error_code FROM job WHERE error_code IS NOT NULL AND id >= $1::uuid AND ${inOpenMonths('id')} ORDER BY id DESC LIMIT 50000) AS failed
    GROUP BY error_code ORDER BY last_hour DESC, last_day DESC, code`,
  { mayBeStale: true },
);

const COUNT_CREATED = statement(
  'job_count_created',
  `SELECT count(*) AS jobs FROM (SELECT id FROM job WHERE id >= $1::uuid AND ${inOpenMonths('id')} ORDER BY id DESC LIMIT 20000) AS newest`,
  { mayBeStale: true },
);

/** Counts over all jobs, each with a bound. Callers cache them. */
@Injectable()
export class JobCountsRepository {
  constructor(private readonly database: Database) {}

  countInFlight(): Promise<ModelQueueRow[]> {
    return this.database.query<ModelQueueRow>(COUNT_IN_FLIGHT);
  }

  async countUnsettled(): Promise<{ jobs: number; oldest_age: number }> {
    const row = await this.database.findOne<{ jobs: number; oldest_age: number }>(COUNT_UNSETTLED);
    return row ?? { jobs: 0, oldest_age: 0 };
  }

  countTasks(): Promise<{ provider: string; tasks: number }[]> {
    return this.database.query<{ provider: string; tasks: number }>(COUNT_TASKS);
  }

  /** Jobs with an id of at least `dayId`, and of at least `hourId`. */
  countFailures(dayId: string, hourId: string): Promise<FailureCountRow[]> {
    return this.database.query<FailureCountRow>(COUNT_FAILURES, [dayId, hourId]);
  }

  async countCreated(fromId: string): Promise<number> {
    return (await this.database.findOne<{ jobs: number }>(COUNT_CREATED, [fromId]))?.jobs ?? 0;
  }
}

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
     FROM (SELECT provider, state, parked FROM attempt WHERE state <> 'ended' AND ${inOpenMonths('job_id')}
            ORDER BY provider, next_check_at LIMIT ${MAX_OPEN}) AS open
    GROUP BY provider ORDER BY provider`,
);

const LIST_UNKNOWN = statement(
  'attempt_list_unknown',
  `SELECT job_id, number, provider, checked_at
     FROM (SELECT job_id, number, provider, checked_at, state FROM attempt WHERE state <> 'ended' AND ${inOpenMonths('job_id')}
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
