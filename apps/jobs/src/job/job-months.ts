import { Injectable } from '@nestjs/common';
import {
  ALL_MONTHS,
  Database,
  FollowingTable,
  GaugeSampler,
  type Months,
  OPEN_DAYS,
  OpenMonths,
  type PartitionRow,
  beginningOf,
  boundsOf,
  endOf,
  statement,
} from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { JobsConfig } from '../jobs.config';
import { RECEIPT_COLUMNS } from '../receipt/receipt-fact.entity';

const KEPT_PAGE = 5_000;
const SETTING = 'KINORA_JOB_RETENTION_DAYS';
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const attemptsOf = (jobs: string): string => jobs.replace('job', 'attempt');

/** The partial indexes of one partition answer each condition at its first row. */
const isOpen = (jobs: string): string => `
  EXISTS (SELECT FROM ${jobs} WHERE deadline_at IS NOT NULL)
  OR EXISTS (SELECT FROM ${jobs} WHERE completed_at IS NOT NULL AND settled_at IS NULL)
  OR EXISTS (SELECT FROM ${attemptsOf(jobs)} WHERE state <> 'ended')
  OR EXISTS (SELECT FROM ${attemptsOf(jobs)} WHERE cancel_at IS NOT NULL)
  OR EXISTS (SELECT FROM usage_pending WHERE job_id >= $1 AND job_id < $2)
  OR EXISTS (SELECT FROM event_pending WHERE job_id >= $1 AND job_id < $2)`;

/** The dispatcher of webhooks may be some days behind. */
const hasRecentEnd = (jobs: string): string => `
  EXISTS (SELECT FROM ${jobs} WHERE completed_at > statement_timestamp() - interval '${OPEN_DAYS} days' AND webhook_url IS NOT NULL)`;

/** What else a sweep or a reader needs of a month. */
const isNeeded = (jobs: string): string => `
  EXISTS (SELECT FROM ${jobs} WHERE expires_at IS NOT NULL AND outputs_deleted_at IS NULL)
  OR EXISTS (SELECT FROM ${jobs} WHERE content_deleted_at IS NOT NULL AND webhook_url IS NOT NULL)
  OR EXISTS (SELECT FROM feed_event WHERE job_id >= $1 AND job_id < $2)`;

/** The months are looked up again within it, even if one look-up fails. */
const LOOK_AHEAD = `interval '1 hour'`;

/** Also where the deletion that a client requested has failed, however old the job is. */
const hasDeletionDue = (jobs: string): string => `
  EXISTS (SELECT FROM ${jobs} WHERE expires_at IS NOT NULL AND outputs_deleted_at IS NULL
             AND coalesce(outputs_retry_at, expires_at) < statement_timestamp() + ${LOOK_AHEAD})
  OR EXISTS (SELECT FROM ${jobs} WHERE content_deleted_at IS NOT NULL AND webhook_url IS NOT NULL)`;

/** A page of the jobs of a month; of their outputs, a receipt states the hashes. */
const keepReceiptFacts = (jobs: string): string => `
  WITH page AS MATERIALIZED (
    SELECT * FROM ${jobs} WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${KEPT_PAGE}
  ), kept AS (
    INSERT INTO receipt_fact (${RECEIPT_COLUMNS.sql}, attempts)
    SELECT ${RECEIPT_COLUMNS.names
      .map((name) =>
        name === 'output'
          ? `(SELECT json_agg(json_build_object('sha256', file ->> 'sha256')) FROM json_array_elements(output) AS file)`
          : name,
      )
      .join(', ')},
           (SELECT count(*) FROM ${attemptsOf(jobs)} WHERE job_id = page.id)
      FROM page
    ON CONFLICT (id) DO NOTHING
  )
  SELECT id FROM page ORDER BY id DESC LIMIT 1`;

/** The months of jobs. Those whose rows may still change bound the statements on such rows, and are not dropped. */
@Injectable()
export class JobMonths extends OpenMonths {
  private closedWithDeletions: Months[] = [];

  constructor(
    config: JobsConfig,
    private readonly database: Database,
    sampler: GaugeSampler,
    @InjectLogger() logger: Logger,
  ) {
    super(
      {
        name: 'job',
        setting: SETTING,
        retentionDays: config.jobRetentionDays,
        stays:
          'Usage, the ledger, and what receipts state. GET of a dropped job is 404. A month stays while a job of it is open.',
      },
      { database, sampler, logger },
    );
  }

  /** Where the sweeps of outputs and contents find what is to be deleted: few of the closed months have any. */
  get monthsWithDeletions(): readonly Months[] {
    return [...this.closedWithDeletions, this.database.openMonths];
  }

  override async boundOpenMonths(now: Date): Promise<void> {
    await super.boundOpenMonths(now);
    this.closedWithDeletions = await this.findDeletions();
  }

  private async findDeletions(): Promise<Months[]> {
    const found: Months[] = [];
    for (const partition of await this.list()) {
      const month = { from: beginningOf(partition) ?? ALL_MONTHS.from, until: endOf(partition) };
      if (month.until > this.database.openMonths.from) break;
      if (await this.isTrue(hasDeletionDue(partition.name))) found.push(month);
    }
    return found;
  }

  protected override isOpen(partition: PartitionRow): Promise<boolean> {
    return this.holds(partition, `${isOpen(partition.name)} OR ${hasRecentEnd(partition.name)}`);
  }

  /** The beginning of the oldest month that is kept; null while none was dropped. */
  async keptFrom(): Promise<Date | null> {
    const [oldest] = await this.list();
    return oldest ? beginningOf(oldest) : null;
  }

  protected override async prepareDrop(partition: PartitionRow): Promise<boolean> {
    if (await this.holds(partition, `${isOpen(partition.name)} OR ${isNeeded(partition.name)}`)) return false;
    const keep = statement('', keepReceiptFacts(partition.name));
    let page: { id: string } | null = { id: LOWEST_ID };
    while (page) page = await this.database.findOne<{ id: string }>(keep, [page.id, HIGHEST_ID]);
    return true;
  }

  private holds(partition: PartitionRow, condition: string): Promise<boolean> {
    const { from, to } = boundsOf(partition);
    return this.isTrue(condition, [from ?? LOWEST_ID, to]);
  }

  private async isTrue(condition: string, values?: unknown[]): Promise<boolean> {
    const read = statement('', `SELECT ${condition} AS is_true`);
    return (await this.database.findOne<{ is_true: boolean }>(read, values))?.is_true === true;
  }
}

/** The months of attempts, each of which is dropped after that of their jobs. */
@Injectable()
export class AttemptMonths extends FollowingTable {
  constructor(config: JobsConfig, database: Database, sampler: GaugeSampler, @InjectLogger() logger: Logger) {
    super(
      'job',
      {
        name: 'attempt',
        setting: SETTING,
        retentionDays: config.jobRetentionDays,
        stays: 'Their number, in receipts.',
      },
      { database, sampler, logger },
    );
  }
}
