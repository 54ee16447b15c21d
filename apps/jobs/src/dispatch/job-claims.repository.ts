import { Injectable } from '@nestjs/common';
import { hasFewSlots, type InstanceSlots } from '@kinora/compute';
import { Database, type Queryable, statement, inOpenMonths } from '@kinora/database';
import { ACCOUNT_OF_ATTEMPT, LEASE_MS, TAKES_PLACE_AT } from '../attempt/attempt.repository';
import { ATTEMPT_COLUMNS, type AttemptRow } from '../attempt/attempt.row';
import { JOB_COLUMNS, type JobRow } from '../job/job.entity';
import type { WaitingJob } from '../routing/job-routes';

/** Locked in one order, which prevents deadlocks. */
const LOCK_PROVIDERS = statement(
  'provider_lock',
  `SELECT pg_advisory_xact_lock(hashtext('kinora_provider ' || name)) FROM (SELECT unnest($1::text[]) AS name ORDER BY 1) AS provider_name`,
);

/** The snapshot is taken after the lock, so it includes the attempts of the process that held the lock before. */
const COUNT_RUNNING = statement(
  'provider_count_running',
  `SELECT provider, ${ACCOUNT_OF_ATTEMPT}, count(*) AS count FROM attempt
    WHERE ${TAKES_PLACE_AT} = ANY($1::text[]) AND ${inOpenMonths('job_id')} GROUP BY 1, 2`,
);

export interface SlotRequest {
  provider: string;
  accountId: string;
  slots: InstanceSlots;
}

/**
 * Several processes with cached counts could fill the same few places. So a transaction that opens attempts at an instance with
 * few places takes its advisory lock, counts again, and holds the lock until it commits.
 * @returns for each request, in their order, whether a place is free.
 */
export async function claimSlots(transaction: Queryable, requests: SlotRequest[]): Promise<boolean[]> {
  const providers = [...new Set(requests.filter(({ slots }) => hasFewSlots(slots)).map(({ provider }) => provider))];
  if (providers.length === 0) return requests.map(() => true);
  await transaction.query(LOCK_PROVIDERS, [providers]);
  const rows = await transaction.query<{ provider: string; account_id: string; count: number }>(COUNT_RUNNING, [
    providers,
  ]);
  const taken = new Map<string, string[]>(providers.map((provider) => [provider, []]));
  for (const { provider, account_id: accountId, count } of rows)
    taken.get(provider)?.push(...Array.from({ length: count }, () => accountId));
  return requests.map(({ provider, accountId, slots }) => {
    const accounts = taken.get(provider);
    const isFree = !accounts || hasFreeSlot(slots, accounts, accountId);
    if (isFree) accounts?.push(accountId);
    return isFree;
  });
}

/** @param taken the account of each task in progress. */
function hasFreeSlot({ common, newcomers }: InstanceSlots, taken: string[], accountId: string): boolean {
  const isNewcomer = !taken.includes(accountId);
  return taken.length < common + (isNewcomer ? newcomers : 0);
}

/** A job that is to be submitted, with the attempt that was opened for it. */
export interface ClaimedJob<Choice> {
  job: JobRow;
  attempt: AttemptRow;
  choice: Choice;
}

export const NEXT_IN_MODEL_QUEUE = statement(
  'job_next_in_model_queue',
  `SELECT ${JOB_COLUMNS.sql},
          ARRAY(SELECT attempt.provider FROM attempt WHERE attempt.job_id = job.id AND outcome = 'failed'
                   AND ${inOpenMonths('attempt.job_id')}) AS failed_at,
          ARRAY(SELECT attempt.provider FROM attempt WHERE attempt.job_id = job.id AND outcome = 'refused'
                   AND ${inOpenMonths('attempt.job_id')}) AS refused_at
     FROM job WHERE model = $1 AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp() AND ${inOpenMonths('id')}
    ORDER BY turn, claimable_at LIMIT $2 FOR UPDATE SKIP LOCKED`,
);

const CLAIMED = `job.id, job.traceparent, chosen.provider, 1 + (SELECT count(*) FROM attempt WHERE attempt.job_id = job.id AND ${inOpenMonths('attempt.job_id')}) AS number`;

/** The attempt is written before anything is sent, so that no submission can be lost. */
const OPEN_CLAIMED = `
   INSERT INTO attempt (job_id, number, provider, upstream_id, traceparent, next_check_at)
   SELECT id, number, provider, id::text || '-' || number, traceparent, clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     FROM claimed
   RETURNING ${ATTEMPT_COLUMNS}`;

const OPEN = statement(
  'attempt_open',
  `WITH claimed AS (
     UPDATE job SET claimable_at = NULL FROM unnest($1::uuid[], $2::text[]) AS chosen (job_id, provider)
      WHERE job.id = chosen.job_id AND job.id = ANY($1::uuid[]) AND ${inOpenMonths('job.id')} RETURNING ${CLAIMED}
   ) ${OPEN_CLAIMED}`,
);

/** Jobs that are ahead in the fair queue and not locked by another dispatcher are claimed first. */
const OPEN_IF_NEXT = statement(
  'attempt_open_if_next',
  `WITH next AS (
     SELECT id FROM job WHERE model = $1 AND claimable_at IS NOT NULL AND claimable_at <= statement_timestamp() AND ${inOpenMonths('id')}
      ORDER BY turn, claimable_at LIMIT 1 FOR UPDATE SKIP LOCKED
   ), claimed AS (
     UPDATE job SET claimable_at = NULL FROM next, (SELECT $2::uuid AS job_id, $3::text AS provider) AS chosen
      WHERE job.id = next.id AND job.id = chosen.job_id AND ${inOpenMonths('job.id')} RETURNING ${CLAIMED}
   ) ${OPEN_CLAIMED}`,
);

const LOCK_MODEL_QUEUE = statement('model_queue_lock', `SELECT pg_advisory_xact_lock(hashtext('kinora_lane ' || $1))`);

/** A job that cannot be sent anywhere now is postponed, so that the jobs behind it can be claimed. */
export const POSTPONE = statement(
  'job_postpone',
  `UPDATE job SET claimable_at = clock_timestamp() + interval '1 second' WHERE id = ANY($1::uuid[]) AND ${inOpenMonths('id')}`,
);

/** The fair queue of each model: its head, and the claim of the next jobs. */
@Injectable()
export class JobClaimsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Claims the next jobs of a queue, at most `limit`, and opens an attempt for each that `choose` gives an instance. Jobs with
   * the choice `postpone` are postponed for a second; jobs with `keep` stay where they are. If another process has taken the
   * chosen place in the meantime, the place is released, and the job stays too.
   */
  async open<Choice extends ChosenProvider>(
    model: string,
    limit: number,
    choose: (waiting: WaitingJob) => Promise<Choice | 'keep' | 'postpone'>,
    { isExclusive = false, release = () => undefined }: ClaimOptions<Choice> = {},
  ): Promise<ClaimedJob<Choice>[]> {
    let chosen: Chosen<Choice>[] = [];
    const releaseAll = (): void => {
      for (const { choice } of chosen) release(choice);
      chosen = [];
    };
    const claim = async (transaction: Queryable): Promise<ClaimedJob<Choice>[]> => {
      // The transaction may run again after a deadlock, and then chooses anew.
      releaseAll();
      if (isExclusive) await transaction.query(LOCK_MODEL_QUEUE, [model]);
      const next = await transaction.query<NextJob>(NEXT_IN_MODEL_QUEUE, [model, limit]);
      const postponed: string[] = [];
      for (const job of next) {
        const choice = await choose({ job, failedAt: job.failed_at, refusedAt: job.refused_at });
        if (choice === 'postpone') postponed.push(job.id);
        else if (choice !== 'keep') chosen.push({ job, choice });
      }
      if (postponed.length > 0) await transaction.execute(POSTPONE, [postponed]);
      const isFree = await claimSlots(transaction, chosen.map(toSlotRequest));
      chosen.filter((_, index) => !isFree[index]).forEach(({ choice }) => release(choice));
      chosen = chosen.filter((_, index) => isFree[index]);
      return await openAttempts(transaction, chosen);
    };
    try {
      return await this.database.transaction(claim);
    } catch (error) {
      releaseAll();
      throw error;
    }
  }

  /**
   * Claims this job and opens an attempt for it if it is the head of its queue; null otherwise. For instances with many places.
   */
  openIfNext({ id, model }: Pick<JobRow, 'id' | 'model'>, provider: string): Promise<AttemptRow | null> {
    return this.database.findOne<AttemptRow>(OPEN_IF_NEXT, [model, id, provider]);
  }
}

export interface ClaimOptions<Choice> {
  /** Only one process at a time claims from the queue. Otherwise jobs behind the locked head could take the few places. */
  isExclusive?: boolean;
  /**
   * Called for each choice that is not used here. Without it a half-open circuit breaker would wait for the result of its trial
   * forever.
   */
  release?: (choice: Choice) => void;
}

export interface ChosenProvider {
  provider: { id: string };
  slots: InstanceSlots;
}

interface Chosen<Choice> {
  job: JobRow;
  choice: Choice;
}

function toSlotRequest({ job, choice }: Chosen<ChosenProvider>): SlotRequest {
  return { provider: choice.provider.id, accountId: job.account_id, slots: choice.slots };
}

export type NextJob = JobRow & { failed_at: string[]; refused_at: string[] };

export async function openAttempts<Choice extends ChosenProvider>(
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
