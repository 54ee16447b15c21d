import { Injectable } from '@nestjs/common';
import type { LedgerDay, LedgerDays } from '@kinora/contracts/billing/ledger.rpc';
import type { Micros } from '@kinora/contracts/shared/money';
import { assertInteger } from '../operator/operator-input';
import { type LedgerDayRow, LedgerHourRepository, LedgerRounds } from '../wallet/ledger-hour.repository';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const DAY_MS = 24 * 60 * 60_000;
/** The entries of the current hour are read again after this time. */
const FRESH_MS = 30_000;

interface CachedDays {
  readAtMs: number;
  rows: Promise<LedgerDayRow[]>;
}

/** The ledger of all accounts by day, for operators. */
@Injectable()
export class ListLedgerDays {
  private readonly cached = new Map<number, CachedDays>();

  constructor(
    private readonly hours: LedgerHourRepository,
    private readonly rounds: LedgerRounds,
  ) {}

  async execute(request: { days?: number }): Promise<LedgerDays> {
    assertInteger(request, 'days', { max: MAX_DAYS });
    const rows = await this.read(request.days ?? DEFAULT_DAYS);
    return { data: toDays(rows), verification: this.rounds.last };
  }

  private read(days: number): Promise<LedgerDayRow[]> {
    const known = this.cached.get(days);
    if (known && performance.now() - known.readAtMs < FRESH_MS) return known.rows;
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const rows = this.hours.listDays(new Date(midnight - (days - 1) * DAY_MS));
    this.cached.set(days, { readAtMs: performance.now(), rows });
    rows.catch(() => this.cached.delete(days));
    return rows;
  }
}

function toDays(rows: LedgerDayRow[]): LedgerDay[] {
  const days = [...new Set(rows.map(({ day }) => day))].sort().reverse();
  return days.map((day) => {
    const of = (kind: string) => rows.filter((row) => row.day === day && row.kind === kind);
    return {
      day,
      top_ups_micros: microsOf(of('top_up')),
      credits_micros: microsOf(of('credit')),
      adjustments_micros: microsOf(of('adjustment')),
      reserved_micros: microsOf(of('reserve')),
      captures: entriesOf(of('capture')),
      captured_micros: microsOf(of('capture')),
      refunds: entriesOf(of('refund')),
      refunded_micros: microsOf(of('refund')),
      paid_back_micros: 0 - microsOf([...of('payment_refund'), ...of('dispute')]),
    };
  });
}

function microsOf(rows: LedgerDayRow[]): Micros {
  return rows.reduce((sum, { amount_micros }) => sum + amount_micros, 0);
}

function entriesOf(rows: LedgerDayRow[]): number {
  return rows.reduce((sum, { entries }) => sum + entries, 0);
}
