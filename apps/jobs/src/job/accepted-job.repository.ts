import { Injectable } from '@nestjs/common';
import { Database, SetStatement, statement, violatedConstraint } from '@kinora/database';
import { crashPoint } from '@kinora/service-kit';
import { currentTraceparent } from '@kinora/tracing';
import { type StoredAt, toAcceptedRow } from './accepted-job.row';
import type { JobRow, NewJob } from './job.row';
import { microsAhead } from './micros-ahead';

/** A job to store, with the Idempotency-Key that it was asked for with. */
interface Acceptance {
  job: NewJob;
  idempotencyKey: string | null;
  traceparent: string | null;
}

/**
 * The place in the line of the model: behind what the account itself has waiting there, by its price, and beside whoever is
 * next where it has nothing waiting. So each account is served in turn, for the same money, however many jobs it has sent;
 * what is free counts as next to nothing. Both looks take one step along an index. Requests that are stored at the same
 * moment do not see each other, which puts an account ahead by as many jobs as there are such moments, no more.
 */
const TURN = `
  greatest(
    (SELECT turn FROM head WHERE head.model = asked.model),
    (SELECT waiting.turn + greatest(waiting.price_micros, 1) FROM job AS waiting
      WHERE waiting.model = asked.model AND waiting.account_id = asked.account_id AND waiting.claimable_at IS NOT NULL
      ORDER BY waiting.turn DESC LIMIT 1),
    0) + ahead_micros`;

/** Whoever is next at each of the models, looked up once for all that ask for it. */
const HEADS = `
  head AS MATERIALIZED (
    SELECT model, (SELECT waiting.turn FROM job AS waiting
                    WHERE waiting.model = asked.model AND waiting.claimable_at IS NOT NULL
                      AND waiting.claimable_at <= statement_timestamp()
                    ORDER BY waiting.turn LIMIT 1) AS turn
      FROM (SELECT DISTINCT model FROM unnest($4::text[]) AS given (model)) AS asked
  )`;

/** @param condition which of the set are stored. */
const acceptWhere = (condition: string): string => `
  INSERT INTO job (id, account_id, kind, model, input, images, provider, plan, metadata, webhook_url, price_micros,
                   input_decision_id, passed_input_sha256, retention_days, deadline_at, turn, traceparent)
  SELECT id, account_id, kind, model, input, images, provider, plan, metadata, webhook_url, price_micros,
         input_decision_id, string_to_array(passed_input_sha256, ' '), retention_days,
         clock_timestamp() + queue_timeout_ms * interval '1 millisecond',
         ${TURN}, traceparent
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::json[], $6::json[], $7::text[], $8::json[], $9::json[],
                $10::text[], $11::bigint[], $12::uuid[], $13::integer[], $14::bigint[], $15::text[], $16::text[], $17::bigint[])
      AS asked (id, account_id, kind, model, input, images, provider, plan, metadata, webhook_url, price_micros,
                input_decision_id, retention_days, queue_timeout_ms, passed_input_sha256, traceparent, ahead_micros)
   WHERE ${condition}
  RETURNING id, created_at, deadline_at`;

const ACCEPT = statement('job_accept', `WITH ${HEADS} ${acceptWhere('true')}`);

/** Jobs, and the bindings of the keys that they were asked for with: of each job that came with a key both or neither. */
const ACCEPT_BY_KEYS = statement(
  'job_accept_by_keys',
  `WITH bound AS (
     UPDATE idempotency_key AS claimed SET accepted_at = clock_timestamp()
       FROM unnest($1::uuid[], $2::uuid[], $18::text[]) AS asked (id, account_id, key)
      WHERE claimed.account_id = asked.account_id AND claimed.key = asked.key AND claimed.job_id = asked.id
        AND claimed.accepted_at IS NULL
     RETURNING claimed.job_id
   ), ${HEADS}
   ${acceptWhere('id = ANY($19::uuid[]) OR id IN (SELECT job_id FROM bound)')}`,
);

/** The constraints that a job breaks whose id was given up, or stored by another request. */
const GIVEN_UP = new Set(['job_is_not_tombstoned', 'job_pkey']);

/** Stores accepted jobs, as many as come at a time in one statement and one commit. */
@Injectable()
export class AcceptedJobRepository {
  private readonly acceptances: SetStatement<Acceptance, JobRow | null>;

  constructor(private readonly database: Database) {
    this.acceptances = new SetStatement({
      run: (acceptances) => this.acceptSet(acceptances),
      fairBy: ({ job }) => job.account_id,
    });
  }

  /**
   * Stores an accepted job and binds its Idempotency-Key. Null when the request was taken for dead meanwhile:
   * its id was given up, or another request went on with its key.
   */
  async accept(job: NewJob, idempotencyKey: string | null): Promise<JobRow | null> {
    try {
      return await this.acceptances.run({ job, idempotencyKey, traceparent: currentTraceparent() ?? null });
    } catch (error) {
      if (GIVEN_UP.has(violatedConstraint(error) ?? '')) return null;
      throw error;
    }
  }

  private async acceptSet(acceptances: Acceptance[]): Promise<(JobRow | null)[]> {
    crashPoint('jobs.accept.before_commit');
    const stored = new Map((await this.store(acceptances)).map((row) => [row.id, row]));
    crashPoint('jobs.accept.committed');
    return acceptances.map(({ job, traceparent }) => {
      const storedAt = stored.get(job.id);
      return storedAt ? toAcceptedRow(job, storedAt, traceparent) : null;
    });
  }

  /** Most requests bring no key, and what binds keys is half as dear as all the rest. */
  private store(acceptances: Acceptance[]): Promise<StoredAt[]> {
    const values = toValues(acceptances);
    const keys = acceptances.map(({ idempotencyKey }) => idempotencyKey);
    if (keys.every((key) => key === null)) return this.database.query<StoredAt>(ACCEPT, values);
    const keyless = acceptances.filter(({ idempotencyKey }) => idempotencyKey === null).map(({ job }) => job.id);
    return this.database.query<StoredAt>(ACCEPT_BY_KEYS, [...values, keys, keyless]);
  }
}

function toValues(acceptances: Acceptance[]): unknown[][] {
  const jobs = acceptances.map(({ job }) => job);
  return [
    jobs.map(({ id }) => id),
    jobs.map(({ account_id }) => account_id),
    jobs.map(({ kind }) => kind),
    jobs.map(({ model }) => model),
    jobs.map(({ input }) => JSON.stringify(input)),
    jobs.map(({ images }) => JSON.stringify(images)),
    jobs.map(({ provider }) => provider),
    jobs.map(({ plan }) => JSON.stringify(plan)),
    jobs.map(({ metadata }) => metadata && JSON.stringify(metadata)),
    jobs.map(({ webhook_url }) => webhook_url),
    jobs.map(({ price_micros }) => price_micros),
    jobs.map(({ input_decision_id }) => input_decision_id),
    jobs.map(({ retention_days }) => retention_days),
    jobs.map(({ queue_timeout_ms }) => queue_timeout_ms),
    // As one text: an array of arrays of different lengths is none.
    jobs.map(({ passed_input_sha256 }) => passed_input_sha256?.join(' ') ?? null),
    acceptances.map(({ traceparent }) => traceparent),
    microsAhead(jobs),
  ];
}
