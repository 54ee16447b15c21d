import { Injectable } from '@nestjs/common';
import type { Reservation } from '@kinora/contracts/billing/billing.rpc';
import type { PassedContent } from '@kinora/contracts/moderation/moderation.rpc';
import { currentCaller } from '@kinora/bus';
import { BatchedStatement, Database, statement, violatedConstraint, inOpenMonths } from '@kinora/database';
import { crashPoint } from '@kinora/service-kit';
import { factsOfHold } from '../model/price';
import { JOB_DEFAULTS, type JobRow, type NewJob } from './job.entity';

type QueuedJob = Pick<NewJob, 'account_id' | 'model' | 'price_micros'>;

/** For each job of a batch: the cost in micros of the same account's jobs before it at the same model. A free job costs 1. */
export function queuedCostBefore(jobs: QueuedJob[]): number[] {
  const costByQueue = new Map<string, number>();
  return jobs.map(({ account_id, model, price_micros }) => {
    const queue = `${account_id} ${model}`;
    const before = costByQueue.get(queue) ?? 0;
    costByQueue.set(queue, before + Math.max(price_micros, 1));
    return before;
  });
}

/** The proofs that storing a job requires: its inputs passed moderation, and a hold pays for it. */
export interface JobProofs {
  passed: PassedContent;
  hold: Reservation;
}

export interface PaidJob extends JobProofs {
  job: NewJob;
  idempotencyKey: string | null;
}

interface Insertion extends PaidJob {
  traceparent: string | null;
}

interface InsertedColumn {
  /** The type of the parameter, which is an array with an element for each job of the batch. */
  type: string;
  value: (insertion: Insertion) => unknown;
  /** Computes the column from the parameter, if the two differ. */
  expression?: string;
}

/** Every other column is inserted; the database sets `created_at`. A missing column is a compile error. */
type InsertedName =
  | Exclude<keyof JobRow, keyof typeof JOB_DEFAULTS | 'created_at'>
  | 'passed_input_sha256'
  | 'accepted_facts'
  | 'quote_id'
  | 'list_micros';

const INSERTED = {
  id: { type: 'uuid', value: ({ job }) => job.id },
  account_id: { type: 'uuid', value: ({ job }) => job.account_id },
  kind: { type: 'text', value: ({ job }) => job.kind },
  model: { type: 'text', value: ({ job }) => job.model },
  input: { type: 'json', value: ({ job }) => job.input },
  images: { type: 'json', value: ({ job }) => job.images },
  provider: { type: 'text', value: ({ job }) => job.provider },
  plan: { type: 'json', value: ({ job }) => job.plan },
  metadata: { type: 'json', value: ({ job }) => job.metadata },
  webhook_url: { type: 'text', value: ({ job }) => job.webhook_url },
  // The held amount is the price: a request that resumes after a change of the catalog keeps its hold.
  price_micros: { type: 'bigint', value: ({ hold }) => hold.amount_micros },
  input_decision_id: { type: 'uuid', value: ({ passed }) => passed.decision_id },
  passed_input_sha256: {
    type: 'text',
    // One text, because PostgreSQL has no array of arrays of different lengths.
    value: ({ passed }) => passed.content_sha256.join(' '),
    expression: `string_to_array(request.passed_input_sha256, ' ')`,
  },
  accepted_facts: {
    type: 'json',
    value: ({ job, hold }) => factsOfHold(job.accepted_facts, job.price_micros, hold.amount_micros),
  },
  quote_id: { type: 'text', value: (insertion) => quoteOf(insertion)?.id ?? null },
  list_micros: { type: 'bigint', value: (insertion) => quoteOf(insertion)?.list_micros ?? null },
  retention_days: { type: 'integer', value: ({ hold }) => hold.retention_days },
  // The parameter is the time until the deadline, in milliseconds.
  deadline_at: {
    type: 'bigint',
    value: ({ job }) => job.queue_timeout_ms,
    expression: `clock_timestamp() + request.deadline_at * interval '1 millisecond'`,
  },
  traceparent: { type: 'text', value: ({ traceparent }) => traceparent },
} as const satisfies Record<InsertedName, InsertedColumn>;

/** The price of an earlier hold is not that of the quote. */
function quoteOf({ job, hold }: Insertion): NewJob['quote'] {
  return hold.amount_micros === job.price_micros ? job.quote : undefined;
}

const COLUMNS: [string, InsertedColumn][] = Object.entries(INSERTED);
const NAMES = COLUMNS.map(([name]) => name);
const arrayOf = (name: keyof typeof INSERTED): string => `$${NAMES.indexOf(name) + 1}::${INSERTED[name].type}[]`;
/** The parameters after those of the columns. */
const QUEUED_COST = `$${COLUMNS.length + 1}`;
const KEYS = `$${COLUMNS.length + 2}`;
const KEYLESS_IDS = `$${COLUMNS.length + 3}`;

/**
 * The rank in the fair queue of the model: behind the account's own waiting jobs, by their prices, or equal to the head of the
 * queue if the account has none. Accounts therefore share the queue by cost, however many jobs each has; a free job counts as
 * 1. Each lookup is one index step. Jobs that are stored at the same moment do not see each other, so an account can be ahead
 * by at most that many jobs.
 */
const QUEUE_RANK = `
  greatest(
    (SELECT turn FROM head WHERE head.model = request.model),
    (SELECT waiting.turn + greatest(waiting.price_micros, 1) FROM job AS waiting
      WHERE waiting.model = request.model AND waiting.account_id = request.account_id AND waiting.claimable_at IS NOT NULL
        AND ${inOpenMonths('waiting.id')}
      ORDER BY waiting.turn DESC LIMIT 1),
    0) + request.queued_cost`;

/** The rank of the head of the queue, for each model of the batch. */
const HEADS = `
  head AS MATERIALIZED (
    SELECT model, (SELECT waiting.turn FROM job AS waiting
                    WHERE waiting.model = batch.model AND waiting.claimable_at IS NOT NULL
                      AND waiting.claimable_at <= statement_timestamp() AND ${inOpenMonths('waiting.id')}
                    ORDER BY waiting.turn LIMIT 1) AS turn
      FROM (SELECT DISTINCT model FROM unnest(${arrayOf('model')}) AS request (model)) AS batch
  )`;

/** @param condition which jobs of the batch are stored. */
const insertWhere = (condition: string): string => `
  INSERT INTO job (${NAMES.join(', ')}, turn)
  SELECT ${COLUMNS.map(([name, { expression }]) => expression ?? `request.${name}`).join(', ')}, ${QUEUE_RANK}
    FROM unnest(${COLUMNS.map(([, { type }], index) => `$${index + 1}::${type}[]`).join(', ')}, ${QUEUED_COST}::bigint[])
      AS request (${NAMES.join(', ')}, queued_cost)
   ${condition}
  RETURNING id, created_at, deadline_at`;

const INSERT = statement('job_insert', `WITH ${HEADS} ${insertWhere('')}`);

/**
 * Inserts a job with an Idempotency-Key only if the key is still claimed for this job, and marks the key as accepted in the same
 * statement.
 */
const INSERT_WITH_KEYS = statement(
  'job_insert_with_keys',
  `WITH bound AS (
     UPDATE idempotency_key AS claimed SET accepted_at = clock_timestamp()
       FROM unnest(${arrayOf('id')}, ${arrayOf('account_id')}, ${KEYS}::text[])
              AS request (id, account_id, key)
      WHERE claimed.account_id = request.account_id AND claimed.key = request.key AND claimed.job_id = request.id
        AND claimed.accepted_at IS NULL
     RETURNING claimed.job_id
   ), ${HEADS}
   ${insertWhere(`WHERE request.id = ANY(${KEYLESS_IDS}::uuid[]) OR request.id IN (SELECT job_id FROM bound)`)}`,
);

type Stored = Pick<JobRow, 'id' | 'created_at' | 'deadline_at'>;

/** The constraints that a job breaks after another request has taken over its id: by a tombstone, or by storing the job in its month. */
const TAKEN_OVER = /^(?:job_is_not_tombstoned|job_\w+_pkey)$/;

/** Inserts jobs in micro-batches: one statement and one commit for all that arrive together. */
@Injectable()
export class JobInsertRepository {
  private readonly insertions: BatchedStatement<Insertion, JobRow | null>;

  constructor(private readonly database: Database) {
    this.insertions = new BatchedStatement({
      run: (insertions) => this.insertBatch(insertions),
      fairBy: ({ job }) => job.account_id,
    });
  }

  /**
   * Inserts a job and binds its Idempotency-Key. The value is null if another request has taken over because this one exceeded
   * its lease: the job's id has a tombstone, or the key is bound already.
   */
  async insert(paid: PaidJob): Promise<JobRow | null> {
    const insertion = { ...paid, traceparent: currentCaller().traceparent ?? null };
    return this.insertions.run(insertion).catch(nullIfTakenOver);
  }

  private async insertBatch(insertions: Insertion[]): Promise<(JobRow | null)[]> {
    crashPoint('jobs.accept.before_commit');
    const stored = new Map((await this.store(insertions)).map((row) => [row.id, row]));
    crashPoint('jobs.accept.committed');
    return insertions.map((insertion) => {
      const row = stored.get(insertion.job.id);
      return row ? toInsertedRow(insertion, row) : null;
    });
  }

  /** Most requests bring no key, and binding keys costs half as much as the INSERT. */
  private store(insertions: Insertion[]): Promise<Stored[]> {
    const costs = queuedCostBefore(
      insertions.map(({ job: { account_id, model }, hold }) => ({
        account_id,
        model,
        price_micros: hold.amount_micros,
      })),
    );
    const values = [...COLUMNS.map(([, column]) => insertions.map((each) => toParameter(column, each))), costs];
    const keys = insertions.map(({ idempotencyKey }) => idempotencyKey);
    if (keys.every((key) => key === null)) return this.database.query<Stored>(INSERT, values);
    const keyless = insertions.filter(({ idempotencyKey }) => idempotencyKey === null).map(({ job }) => job.id);
    return this.database.query<Stored>(INSERT_WITH_KEYS, [...values, keys, keyless]);
  }
}

function nullIfTakenOver(error: unknown): null {
  if (TAKEN_OVER.test(violatedConstraint(error) ?? '')) return null;
  throw error;
}

function toParameter({ type, value }: InsertedColumn, insertion: Insertion): unknown {
  const given = value(insertion);
  return type === 'json' && given !== null ? JSON.stringify(given) : given;
}

/**
 * The row as it was inserted: RETURNING every column costs as much as the index writes. `Object.assign` to a literal, because
 * V8 turns a wide object that grows by spreading into a dictionary (39 to 160 µs instead of 0.4 µs).
 */
function toInsertedRow(insertion: Insertion, stored: Stored): JobRow {
  const inserted = {
    id: stored.id,
    created_at: stored.created_at,
    deadline_at: stored.deadline_at,
    account_id: INSERTED.account_id.value(insertion),
    kind: INSERTED.kind.value(insertion),
    model: INSERTED.model.value(insertion),
    input: INSERTED.input.value(insertion),
    images: INSERTED.images.value(insertion),
    provider: INSERTED.provider.value(insertion),
    plan: INSERTED.plan.value(insertion),
    metadata: INSERTED.metadata.value(insertion),
    webhook_url: INSERTED.webhook_url.value(insertion),
    price_micros: INSERTED.price_micros.value(insertion),
    input_decision_id: INSERTED.input_decision_id.value(insertion),
    retention_days: INSERTED.retention_days.value(insertion),
    traceparent: INSERTED.traceparent.value(insertion),
  };
  return Object.assign(inserted, JOB_DEFAULTS);
}
