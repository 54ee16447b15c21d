import { Injectable } from '@nestjs/common';
import type { LedgerVerification } from '@kinora/contracts/billing/ledger.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database, type Queryable, statement } from '@kinora/database';
import { LEDGER_KINDS } from './ledger.entity';

/** The entries of one kind on one day of UTC. */
export interface LedgerDayRow {
  day: string;
  kind: string;
  entries: number;
  amount_micros: Micros;
}

/** An hour without sums, and whether it has ended for long enough. */
type NextHour = { hour: Date; is_due: boolean };

/** An hour is summed up when no transaction of it can still be open: each ends within seconds. */
const CLOSED_AFTER = `interval '10 minutes'`;
/** While the sums of older hours are still missing, a list reads the entries of these hours only. */
const LIVE_HOURS = `interval '3 hours'`;

/** These kinds go both ways; the amounts of what leaves an account are negative. Every other kind has one direction. */
const AMOUNT = `sum(CASE WHEN kind IN ('adjustment', 'payment_refund', 'dispute') AND debit IN ('available', 'debts')
                         THEN -amount_micros ELSE amount_micros END)`;

const isDue = (hour: string): string => `${hour} + interval '1 hour' + ${CLOSED_AFTER} < clock_timestamp() AS is_due`;

/** The first hour without sums. */
const FIND_NEXT = statement(
  'ledger_hour_find_next',
  `SELECT next.hour, ${isDue('next.hour')}
   FROM (SELECT hour FROM ledger_hour ORDER BY hour DESC LIMIT 1) AS last, LATERAL (SELECT last.hour + interval '1 hour') AS next (hour)`,
);

/** The hour of the first entry. */
const FIND_FIRST = statement(
  'ledger_hour_find_first',
  `SELECT first.hour, ${isDue('first.hour')} FROM (
     SELECT date_trunc('hour', created_at, 'UTC') AS hour FROM ledger_entry ORDER BY id LIMIT 1
   ) AS first`,
);

const SUM_UP = statement(
  'ledger_hour_sum_up',
  `INSERT INTO ledger_hour (hour, kind, entries, amount_micros)
   SELECT $1::timestamptz, known.kind, coalesce(entries, 0), coalesce(summed.amount_micros, 0)
     FROM unnest(ARRAY['${LEDGER_KINDS.join("', '")}']) AS known (kind)
     LEFT JOIN (SELECT kind, count(*) AS entries, ${AMOUNT} AS amount_micros FROM ledger_entry
                 WHERE created_at >= $1 AND created_at < $1::timestamptz + interval '1 hour' GROUP BY kind) AS summed
       ON summed.kind = known.kind
   ON CONFLICT (hour, kind) DO NOTHING`,
);

const LIST_ENDED = statement(
  'ledger_hour_list_days',
  `SELECT (hour AT TIME ZONE 'UTC')::date::text AS day, kind, sum(entries)::bigint AS entries,
          sum(amount_micros)::bigint AS amount_micros
     FROM ledger_hour WHERE hour >= $1 AND hour < $2 GROUP BY day, kind`,
);

const LIST_LIVE = statement(
  'ledger_hour_list_live',
  `SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, kind, count(*) AS entries, ${AMOUNT}::bigint AS amount_micros
     FROM ledger_entry
    WHERE created_at >= greatest($1::timestamptz, statement_timestamp() - ${LIVE_HOURS}) GROUP BY day, kind`,
);

/** Only a bitmap scan reads the index of times, a few pages of each partition. Sessions plan none without this. */
const ALLOW_BITMAP_SCAN = statement(
  'ledger_hour_allow_bitmap_scan',
  `SELECT set_config('enable_bitmapscan', 'on', true)`,
);

const IS_SUMMED_UP = statement(
  'ledger_hour_is_summed_up',
  'SELECT hour FROM ledger_hour WHERE hour >= $1 ORDER BY hour LIMIT 1',
);

/** The ledger by day. */
@Injectable()
export class LedgerHourRepository {
  constructor(private readonly database: Database) {}

  /** Sums up the next ended hour; several replicas may do so at once. @returns whether there was one. */
  async sumUpNext(): Promise<boolean> {
    const next = await this.findNextHour();
    if (!next?.is_due) return false;
    await this.byTime((transaction) => transaction.execute(SUM_UP, [next.hour]));
    return true;
  }

  /** Whether all hours before a time are. */
  async isSummedUp(until: Date): Promise<boolean> {
    return (await this.database.findOne(IS_SUMMED_UP, [until])) !== null;
  }

  /** The days from a time on: the sums of ended hours, and the entries since. The caller caches them. */
  async listDays(since: Date): Promise<LedgerDayRow[]> {
    const next = await this.findNextHour();
    if (next === null) return [];
    // Both reads end and begin at the same hour: one that is summed up between them would count twice.
    const ended = await this.database.query<LedgerDayRow>(LIST_ENDED, [since, next.hour]);
    return [...ended, ...(await this.listLive(next.hour))];
  }

  listLive(from: Date): Promise<LedgerDayRow[]> {
    return this.byTime((transaction) => transaction.query<LedgerDayRow>(LIST_LIVE, [from]));
  }

  private byTime<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(ALLOW_BITMAP_SCAN);
      return work(transaction);
    });
  }

  /** The first hour without sums; null where there are no entries. */
  private async findNextHour(): Promise<NextHour | null> {
    return (await this.database.findOne<NextHour>(FIND_NEXT)) ?? this.database.findOne<NextHour>(FIND_FIRST);
  }
}

/** The last completed round in which this process has verified all wallets. */
@Injectable()
export class LedgerRounds {
  last: LedgerVerification = { verified_at: null, violations: 0, drift_micros: 0 };

  record({ violations, driftMicros }: { violations: number; driftMicros: Micros }): void {
    this.last = { verified_at: new Date().toISOString(), violations, drift_micros: driftMicros };
  }
}
