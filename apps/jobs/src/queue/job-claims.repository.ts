import { Injectable } from '@nestjs/common';
import type { InstancePlaces } from '@kinora/compute';
import { Database, type Queryable, statement } from '@kinora/database';
import { JOB_COLUMNS, type JobRow } from '../job/job.row';
import type { WaitingJob } from '../routing/job-routes';
import { LEASE_MS } from '../attempt/attempt.repository';
import { ATTEMPT_COLUMNS, type AttemptRow } from '../attempt/attempt.row';
import { type PlaceRequest, takePlaces } from './provider-places';

/** What is next in front of a model, as far as it tells whether there is room for it. */
export type LaneHead = Pick<JobRow, 'account_id' | 'model' | 'plan' | 'provider'>;

/** A job that is to be sent, with the attempt that was opened for it. */
export interface ClaimedJob<Choice> {
  job: JobRow;
  attempt: AttemptRow;
  choice: Choice;
}

/** Two steps along an index a lane, however many jobs wait in it. Not clock_timestamp(), by which no index can be gone. */
const LANES = statement(
  'job_lanes',
  `WITH RECURSIVE lane AS (
     (SELECT model FROM job WHERE claimable_at IS NOT NULL ORDER BY model LIMIT 1)
     UNION ALL
     SELECT (SELECT job.model FROM job WHERE claimable_at IS NOT NULL AND job.model > lane.model ORDER BY job.model LIMIT 1)
       FROM lane WHERE lane.model IS NOT NULL
   )
   SELECT head.account_id, head.model, head.plan, head.provider FROM lane CROSS JOIN LATERAL (
     SELECT account_id, model, plan, provider FROM job
      WHERE job.model = lane.model AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp()
      ORDER BY turn LIMIT 1) AS head`,
);

export const NEXT_IN_LANE = statement(
  'job_next_in_lane',
  `SELECT ${JOB_COLUMNS.sql},
          ARRAY(SELECT attempt.provider FROM attempt WHERE attempt.job_id = job.id AND outcome = 'failed') AS failed_at,
          ARRAY(SELECT attempt.provider FROM attempt WHERE attempt.job_id = job.id AND outcome = 'refused') AS refused_at
     FROM job WHERE model = $1 AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp()
    ORDER BY turn, claimable_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

const CLAIMED = `job.id, job.traceparent, chosen.provider, 1 + (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id) AS number`;

/** The attempt is written before anything is sent, so that no submission can be forgotten. */
const OPEN_CLAIMED = `
   INSERT INTO attempt (job_id, number, provider, upstream_id, traceparent, next_check_at)
   SELECT id, number, provider, id::text || '-' || number, traceparent, clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     FROM claimed
   RETURNING ${ATTEMPT_COLUMNS}`;

const OPEN = statement(
  'attempt_open',
  `WITH claimed AS (
     UPDATE job SET claimable_at = NULL FROM unnest($1::uuid[], $2::text[]) AS chosen (job_id, provider)
      WHERE job.id = chosen.job_id RETURNING ${CLAIMED}
   ) ${OPEN_CLAIMED}`,
);

/** Whoever is before it in line, and whom nobody else is claiming just now, is served before it. */
const OPEN_IF_NEXT = statement(
  'attempt_open_if_next',
  `WITH next AS (
     SELECT id FROM job WHERE model = $1 AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp()
      ORDER BY turn, claimable_at LIMIT 1 FOR UPDATE SKIP LOCKED
   ), claimed AS (
     UPDATE job SET claimable_at = NULL FROM next, (SELECT $2::uuid AS job_id, $3::text AS provider) AS chosen
      WHERE job.id = next.id AND job.id = chosen.job_id RETURNING ${CLAIMED}
   ) ${OPEN_CLAIMED}`,
);

const TAKE_TURN = statement('lane_take_turn', `SELECT pg_advisory_xact_lock(hashtext('kinora_lane ' || $1))`);

/** What cannot be sent anywhere just now makes room for those behind it. */
const STEP_ASIDE = statement(
  'job_step_aside',
  `UPDATE job SET claimable_at = clock_timestamp() + interval '1 second' WHERE id = ANY($1::uuid[])`,
);

/** The line in front of each model: who is next, and the claim of those who are. */
@Injectable()
export class JobClaimsRepository {
  constructor(private readonly database: Database) {}

  /** The head of each line in which somebody can be served. */
  listLanes(): Promise<LaneHead[]> {
    return this.database.query<LaneHead>(LANES);
  }

  /**
   * Claims the next so many jobs of a lane and opens an attempt for each that is given a place to go to. Of the others,
   * those that are to step aside do so for a moment, and the rest stay where they are; so do those whose place another
   * process has taken meanwhile, which is given back.
   */
  async open<Choice extends Place>(
    model: string,
    limit: number,
    choose: (waiting: WaitingJob) => Promise<Choice | 'stays' | 'steps_aside'>,
    { inTurn = false, giveBack = () => undefined }: ClaimOptions<Choice> = {},
  ): Promise<ClaimedJob<Choice>[]> {
    let chosen: Chosen<Choice>[] = [];
    const giveAllBack = (): void => {
      for (const { choice } of chosen) giveBack(choice);
      chosen = [];
    };
    const claim = async (transaction: Queryable): Promise<ClaimedJob<Choice>[]> => {
      // It may run again after a deadlock, and chooses anew then.
      giveAllBack();
      if (inTurn) await transaction.query(TAKE_TURN, [model]);
      const next = await transaction.query<NextJob>(NEXT_IN_LANE, [model, limit]);
      const aside: string[] = [];
      for (const job of next) {
        const choice = await choose({ job, failedAt: job.failed_at, refusedAt: job.refused_at });
        if (choice === 'steps_aside') aside.push(job.id);
        else if (choice !== 'stays') chosen.push({ job, choice });
      }
      if (aside.length > 0) await transaction.execute(STEP_ASIDE, [aside]);
      const isFree = await takePlaces(transaction, chosen.map(toPlaceRequest));
      chosen.filter((_, index) => !isFree[index]).forEach(({ choice }) => giveBack(choice));
      chosen = chosen.filter((_, index) => isFree[index]);
      return await openAttempts(transaction, chosen);
    };
    try {
      return await this.database.transaction(claim);
    } catch (error) {
      giveAllBack();
      throw error;
    }
  }

  /** Claims this job and opens an attempt for it, if it is the next of its lane; null otherwise. For instances with many places. */
  openIfNext({ id, model }: Pick<JobRow, 'id' | 'model'>, provider: string): Promise<AttemptRow | null> {
    return this.database.findOne<AttemptRow>(OPEN_IF_NEXT, [model, id, provider]);
  }
}

export interface ClaimOptions<Choice> {
  /** One process at a time: where places are few, those who hold the front of the line must not lose them to those behind. */
  inTurn?: boolean;
  /** Told of each choice that comes to nothing here: of one by which an instance is tried, nothing else would ever be heard. */
  giveBack?: (choice: Choice) => void;
}

interface Place {
  provider: { id: string };
  places: InstancePlaces;
}

interface Chosen<Choice> {
  job: JobRow;
  choice: Choice;
}

function toPlaceRequest({ job, choice }: Chosen<Place>): PlaceRequest {
  return { provider: choice.provider.id, accountId: job.account_id, places: choice.places };
}

type NextJob = JobRow & { failed_at: string[]; refused_at: string[] };

async function openAttempts<Choice extends Place>(
  transaction: Queryable,
  chosen: Chosen<Choice>[],
): Promise<ClaimedJob<Choice>[]> {
  if (chosen.length === 0) return [];
  const jobIds = chosen.map(({ job }) => job.id);
  const providers = chosen.map(({ choice }) => choice.provider.id);
  const attempts = await transaction.query<AttemptRow>(OPEN, [jobIds, providers]);
  return chosen.flatMap((one) => {
    const attempt = attempts.find(({ job_id }) => job_id === one.job.id);
    return attempt ? [{ ...one, attempt }] : [];
  });
}
