import { Injectable } from '@nestjs/common';
import type { LedgerBooks, LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import { Database, GaugeSampler, type Reading, statement } from '@kinora/database';
import {
  heldMicros,
  ledgerDrift,
  ledgerVerifiedAt,
  ledgerViolations,
  oldestHoldAge,
  openHolds,
} from '../billing.metrics';
import { VerifyLedger } from '../use-cases/verify-ledger.use-case';
import { LedgerRounds } from '../wallet/ledger-hour.repository';

/** Each run reads the entries since the last run, for at most about twenty seconds. */
const VERIFY_EVERY_MS = 10 * 60_000;

/**
 * Compares all wallets with the ledger periodically, and publishes the result as Prometheus gauges. Only `kinora ledger
 * verify` reads old entries again.
 */
@Injectable()
export class LedgerWatch {
  private nextAccountId: string | null = null;
  /**
   * The results of the current round, and of the last completed one. Until the first round completes, the start of the
   * process counts as its end: otherwise the ledger would look unverified after every roll-out.
   */
  private found = { violations: 0, driftMicros: 0 };
  private last = { violations: 0, driftMicros: 0, endedAtSeconds: Date.now() / 1_000 };

  constructor(
    private readonly verifyLedger: VerifyLedger,
    private readonly rounds: LedgerRounds,
    sampler: GaugeSampler,
  ) {
    const gauges = [ledgerDrift, ledgerViolations, ledgerVerifiedAt];
    sampler.add({ name: 'ledger', gauges, everyMs: VERIFY_EVERY_MS, read: () => this.read() });
  }

  private async read(): Promise<Reading[]> {
    const after = this.nextAccountId;
    this.recordReport(await this.verifyLedger.execute(after === null ? {} : { after_account_id: after }));
    return [
      { gauge: ledgerViolations, value: Math.max(this.found.violations, this.last.violations) },
      { gauge: ledgerDrift, value: Math.max(this.found.driftMicros, this.last.driftMicros) },
      { gauge: ledgerVerifiedAt, value: this.last.endedAtSeconds },
    ];
  }

  private recordReport({ violations, books, next_account_id }: LedgerReport): void {
    this.found.violations += violations.length;
    // Summed per page of accounts, so that a deficit in one page cannot cancel out a surplus in another.
    this.found.driftMicros += Math.abs(sumOf(books));
    this.nextAccountId = next_account_id;
    if (next_account_id !== null) return;
    this.last = { ...this.found, endedAtSeconds: Date.now() / 1_000 };
    this.rounds.record(this.found);
    this.found = { violations: 0, driftMicros: 0 };
  }
}

/** Must be 0: every entry moves money from one book to another. */
function sumOf(books: LedgerBooks): number {
  const { available_micros, held_micros, revenue_micros, top_ups_micros, credits_micros, debts_micros = 0 } = books;
  return available_micros + held_micros + revenue_micros + top_ups_micros + credits_micros + debts_micros;
}

const COUNT_HOLDS_EVERY_MS = 15_000;

const COUNT_OPEN = statement(
  'hold_count_open',
  `SELECT count(*) AS holds, coalesce(sum(amount_micros), 0)::bigint AS micros,
          coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::double precision AS oldest_age
     FROM (SELECT amount_micros, created_at FROM hold
            WHERE state = 'held' ORDER BY job_id LIMIT 50000) AS open`,
);

/** Publishes gauges of the open holds. */
@Injectable()
export class HoldGauges {
  constructor(
    private readonly database: Database,
    sampler: GaugeSampler,
  ) {
    const gauges = [openHolds, heldMicros, oldestHoldAge];
    sampler.add({ name: 'holds', gauges, everyMs: COUNT_HOLDS_EVERY_MS, read: () => this.read() });
  }

  private async read(): Promise<Reading[]> {
    const open = await this.database.findOne<{ holds: number; micros: number; oldest_age: number }>(COUNT_OPEN);
    return [
      { gauge: openHolds, value: open?.holds ?? 0 },
      { gauge: heldMicros, value: open?.micros ?? 0 },
      { gauge: oldestHoldAge, value: open?.oldest_age ?? 0 },
    ];
  }
}
