import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import type { KnownHold } from '@kinora/contracts/billing/billing.rpc';
import type { JobStatus } from '@kinora/contracts/jobs/job';
import type { UsageViolation } from '@kinora/contracts/jobs/usage';
import { ALL_MONTHS, Database, inGivenMonths, inMonthsOfIds, monthAfter, statement, timeOfId } from '@kinora/database';

/** The fields of a job that must agree with its hold. */
export interface PricedJob {
  id: string;
  account_id: string;
  status: JobStatus;
  price_micros: number;
}

/** A job is charged if and only if it has succeeded, and its money is held exactly while it is in flight. */
const STATE_BY_STATUS = {
  queued: 'held',
  processing: 'held',
  succeeded: 'captured',
  failed: 'refunded',
  canceled: 'refunded',
} as const satisfies Record<JobStatus, KnownHold['state']>;

/** The first rule that a job and its hold break, or null. A refunded hold needs no job, because its job was refused. */
export function compareWithHold(job: PricedJob | undefined, hold: KnownHold | undefined): UsageViolation | null {
  if (!job) {
    if (!hold || hold.state === 'refunded') return null;
    const detail = `${hold.amount_micros} micros are ${hold.state} for job ${hold.job_id}, which does not exist`;
    return { rule: 'hold_has_its_job', account_id: hold.account_id, detail };
  }
  const violated = (rule: string, detail: string): UsageViolation => ({ rule, account_id: job.account_id, detail });
  if (!hold) return violated('job_has_its_hold', `job ${job.id} is ${job.status}, but has no hold`);
  if (hold.account_id !== job.account_id)
    return violated('hold_is_of_its_account', `job ${job.id} has a hold of account ${hold.account_id}`);
  if (hold.state !== STATE_BY_STATUS[job.status])
    return violated('hold_ends_as_its_job', `job ${job.id} is ${job.status}, but its hold is ${hold.state}`);
  if (hold.amount_micros !== job.price_micros)
    return violated(
      'price_is_what_is_held',
      `job ${job.id} costs ${job.price_micros} micros, but its hold is over ${hold.amount_micros}`,
    );
  return null;
}

const COLUMNS = 'id, account_id, status, price_micros';

const LIST = statement(
  'job_list_priced',
  `SELECT ${COLUMNS} FROM job WHERE id > $1 AND ${inGivenMonths('id')} ORDER BY id LIMIT $2`,
);
const FIND = statement(
  'job_find_priced',
  `SELECT ${COLUMNS} FROM job WHERE id = ANY($1::uuid[]) AND ${inMonthsOfIds('id')}`,
  { idsAt: 0 },
);

/** Reads the price and the status of jobs, for the audit of holds. */
@Injectable()
export class PricedJobRepository {
  constructor(private readonly database: Database) {}

  /** Of the month of the last job, and of later ones only if that does not fill the page. */
  async list(afterJobId: string | null, limit: number): Promise<PricedJob[]> {
    const values = [afterJobId ?? NIL, limit];
    const month = timeOfId(afterJobId ?? NIL);
    const from = monthAfter(month, 0);
    const rows = await this.database.query<PricedJob>(LIST, values, { from, until: monthAfter(month, 1) });
    return rows.length === limit ? rows : this.database.query<PricedJob>(LIST, values, { ...ALL_MONTHS, from });
  }

  find(jobIds: string[]): Promise<PricedJob[]> {
    return this.database.query<PricedJob>(FIND, [jobIds]);
  }
}
