import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import type {
  ChargingHoldsRequest,
  HoldEnd,
  KnownHold,
  OpenHold,
  OpenHoldsRequest,
} from '@kinora/contracts/billing/billing.rpc';
import { Database, statement } from '@kinora/database';
import type { PagePlace } from '../operator/page-place';

/** `barred`: the job was refunded before it was reserved. */
export type EndedHoldState = 'captured' | 'refunded' | 'barred';

/** The end of a hold in the form of the RPC response. */
export function toHoldEnd(state: EndedHoldState): HoldEnd {
  return { state: state === 'barred' ? 'none' : state };
}

const COLUMNS = 'job_id, account_id, amount_micros, created_at';
const MAX_ROWS = 1_000;

const FIND_END = statement('hold_find_end', `SELECT state FROM hold WHERE job_id = $1 AND state <> 'held'`);

const BAR = statement(
  'hold_bar',
  `INSERT INTO hold (job_id, amount_micros, state, ended_at) VALUES ($1, 0, 'barred', now()) ON CONFLICT DO NOTHING`,
);

/** Ordered by job id, a UUIDv7, and therefore by time. */
const LIST_OPEN = statement(
  'hold_list_open',
  `SELECT ${COLUMNS} FROM hold
   WHERE state = 'held' AND created_at <= now() - $1 * interval '1 second' AND job_id > $2
   ORDER BY job_id LIMIT least($3, ${MAX_ROWS})`,
);

const LIST_OPEN_OF_ACCOUNT = statement(
  'hold_list_open_of_account',
  `SELECT ${COLUMNS} FROM hold WHERE state = 'held' AND account_id = $1 AND job_id > $2 ORDER BY job_id LIMIT $3`,
);

const FIND = statement(
  'hold_find',
  `SELECT job_id, account_id, amount_micros, state FROM hold
   WHERE job_id = ANY($1::uuid[]) AND state <> 'barred' LIMIT ${MAX_ROWS}`,
);

const LIST_CHARGING = statement(
  'hold_list_charging',
  `SELECT job_id, account_id, amount_micros, state FROM hold
   WHERE job_id > $1 AND (state = 'captured' OR (state = 'held' AND created_at <= now() - $2 * interval '1 second'))
   ORDER BY job_id LIMIT least($3, ${MAX_ROWS})`,
);

type HoldRow = Omit<OpenHold, 'created_at'> & { created_at: Date };

/** The holds of jobs. Ended holds are kept, so that no job can be reserved twice. */
@Injectable()
export class HoldRepository {
  constructor(private readonly database: Database) {}

  /** Null if the job has no hold or an open one. */
  async findEnd(jobId: string): Promise<EndedHoldState | null> {
    const row = await this.database.findOne<{ state: EndedHoldState }>(FIND_END, [jobId]);
    return row?.state ?? null;
  }

  /** Inserts a barred hold, which makes a later reserve of the job fail. @returns false if the job has a hold already */
  async bar(jobId: string): Promise<boolean> {
    return (await this.database.execute(BAR, [jobId])) === 1;
  }

  async listOpen({ older_than_seconds, after_job_id, limit }: OpenHoldsRequest): Promise<OpenHold[]> {
    const rows = await this.database.query<HoldRow>(LIST_OPEN, [older_than_seconds, after_job_id ?? NIL, limit]);
    return rows.map(toOpenHold);
  }

  async find(jobIds: string[]): Promise<KnownHold[]> {
    return this.database.query<KnownHold>(FIND, [jobIds]);
  }

  async listCharging({ open_for_seconds, after_job_id, limit }: ChargingHoldsRequest): Promise<KnownHold[]> {
    return this.database.query<KnownHold>(LIST_CHARGING, [after_job_id ?? NIL, open_for_seconds, limit]);
  }

  async listOpenOfAccount(accountId: string, { cursor, limit }: PagePlace): Promise<OpenHold[]> {
    const rows = await this.database.query<HoldRow>(LIST_OPEN_OF_ACCOUNT, [accountId, cursor ?? NIL, limit]);
    return rows.map(toOpenHold);
  }
}

function toOpenHold({ created_at, ...hold }: HoldRow): OpenHold {
  return { ...hold, created_at: created_at.toISOString() };
}
