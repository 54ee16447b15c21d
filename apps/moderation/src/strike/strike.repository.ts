import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { StrikeDetails } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { StrikeStanding } from '@kinora/contracts/moderation/moderation.events';
import type { AccountStanding } from '@kinora/contracts/moderation/standings.rpc';
import { columnsOf, Database, type Queryable, type RowOf, statement } from '@kinora/database';
import { RehearsalAccountEntity, StrikeEntity } from './strike.entity';

/**
 * Serialises the strikes of one account, so that each count includes the strikes before it: two concurrent ones could both
 * count four.
 */
const LOCK_ACCOUNT = statement('strike_lock_account', 'SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))');

const INSERT = statement(
  'strike_insert',
  `INSERT INTO strike (id, account_id, job_id, decision_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT (job_id) DO NOTHING`,
);

const COUNT = statement(
  'strike_count',
  `SELECT count(*)::int AS strikes, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS counted_at_us FROM strike
   WHERE account_id = $1 AND lifted_at IS NULL AND created_at > clock_timestamp() - $2 * interval '1 day'`,
);

/**
 * Dated by the times of the visible rows, not by the time of the query. A strike whose transaction is still open is later than
 * all of them, so its event is later than this standing too.
 */
const LIST_STANDINGS = statement(
  'strike_list_standings',
  `SELECT account_id,
          (count(*) FILTER (WHERE lifted_at IS NULL AND created_at > clock_timestamp() - $3 * interval '1 day'))::int AS strikes,
          (extract(epoch FROM max(created_at)) * 1000000)::bigint AS recorded_at_us,
          (extract(epoch FROM max(lifted_at)) * 1000000)::bigint AS lifted_at_us
   FROM strike WHERE account_id > $1 GROUP BY account_id ORDER BY account_id LIMIT $2`,
);

const SHOWN = columnsOf(
  StrikeEntity,
  ...(['id', 'account_id', 'job_id', 'decision_id', 'created_at', 'lifted_at', 'lifted_by', 'lift_reason'] as const),
);

const LIST_OF_ACCOUNT = statement(
  'strike_list_of_account',
  `SELECT ${SHOWN.sql} FROM strike
   WHERE account_id = $1
     AND ($2::uuid IS NULL OR (created_at, id) < (SELECT last.created_at, last.id FROM strike AS last WHERE last.id = $2))
   ORDER BY created_at DESC, id DESC LIMIT $3`,
);

export type Strike = Pick<StrikeEntity, 'account_id' | 'job_id' | 'decision_id'>;

type RecordedStanding = Omit<AccountStanding, 'window_days' | 'limit'>;

type StrikeCount = Pick<StrikeStanding, 'strikes' | 'counted_at_us'>;

/** Stores one strike for each job whose output was blocked, however often the gate judged it. */
@Injectable()
export class StrikeRepository {
  constructor(
    @InjectRepository(StrikeEntity) private readonly strikes: Repository<StrikeEntity>,
    private readonly database: Database,
  ) {}

  async lockAccount(transaction: Queryable, accountId: string): Promise<void> {
    await transaction.query(LOCK_ACCOUNT, [accountId]);
  }

  /** @returns its id, or null where the job already has a strike. */
  async record(transaction: Queryable, { account_id, job_id, decision_id }: Strike): Promise<string | null> {
    const id = uuidv7();
    return (await transaction.execute(INSERT, [id, account_id, job_id, decision_id])) === 1 ? id : null;
  }

  /**
   * The strikes of the last `days` days that are not lifted. Called under `lockAccount`, so that counts and their times have
   * the same order.
   */
  async count(transaction: Queryable, accountId: string, days: number): Promise<StrikeCount> {
    const [counted] = await transaction.query<StrikeCount>(COUNT, [accountId, days]);
    if (!counted) throw new Error('The count of strikes returned no row.');
    return counted;
  }

  /** Accounts with strikes, one page in the order of their ids. */
  listStandings(afterAccountId: string, limit: number, days: number): Promise<RecordedStanding[]> {
    return this.database.query<RecordedStanding>(LIST_STANDINGS, [afterAccountId, limit, days]);
  }

  /** @returns false where the strike was already lifted. */
  async lift(transaction: Queryable, id: string, by: string | null, reason: string): Promise<boolean> {
    const lift = { lifted_at: () => 'clock_timestamp()', lifted_by: by, lift_reason: reason };
    const { affected } = await transaction.repository(StrikeEntity).update({ id, lifted_at: IsNull() }, lift);
    return affected === 1;
  }

  async find(id: string): Promise<StrikeDetails | null> {
    const row = await this.strikes.findOne({ comment: 'strike_find', where: { id } });
    return row && toDetails(row);
  }

  async findOfJob(job_id: string): Promise<StrikeDetails | null> {
    const row = await this.strikes.findOne({ comment: 'strike_find_of_job', where: { job_id } });
    return row && toDetails(row);
  }

  /** Newest first, starting before the cursor. */
  async list(accountId: string | null, cursor: string | null, limit: number): Promise<StrikeDetails[]> {
    const rows = await (accountId === null
      ? this.listAll(cursor, limit)
      : this.database.query<RowOf<typeof SHOWN>>(LIST_OF_ACCOUNT, [accountId, cursor, limit]));
    return rows.map(toDetails);
  }

  private listAll(cursor: string | null, limit: number): Promise<StrikeEntity[]> {
    return this.strikes.find({
      comment: 'strike_list',
      where: cursor === null ? {} : { id: LessThan(cursor) },
      order: { id: 'DESC' },
      take: limit,
    });
  }
}

function toDetails({ id, created_at, lifted_at, ...row }: RowOf<typeof SHOWN>): StrikeDetails {
  return {
    strike_id: id,
    ...row,
    created_at: created_at.toISOString(),
    lifted_at: lifted_at?.toISOString() ?? null,
  };
}

/** Accounts that may rehearse: blocks of moderation's own test material add no strikes. */
@Injectable()
export class RehearsalAccountRepository {
  constructor(
    @InjectRepository(RehearsalAccountEntity) private readonly accounts: Repository<RehearsalAccountEntity>,
  ) {}

  /** Idempotent. */
  async allow(accountId: string): Promise<void> {
    await this.accounts.createQueryBuilder().insert().values({ account_id: accountId }).orIgnore().execute();
  }

  isAllowed(on: Queryable, accountId: string): Promise<boolean> {
    return on.repository(RehearsalAccountEntity).existsBy({ account_id: accountId });
  }
}
