import { Injectable } from '@nestjs/common';
import type { LedgerBooks, LedgerReport } from '@kinora/contracts/billing/ledger-report';
import { GaugeSampler, type Reading } from '@kinora/database';
import { ledgerDrift, ledgerVerifiedAt, ledgerViolations } from '../billing.metrics';
import { VerifyLedger } from '../use-cases/verify-ledger/verify-ledger.use-case';

/** Each time it reads what is new since the last run, for at most some twenty seconds. */
const EVERY_MS = 10 * 60_000;

/** Compares all wallets with the ledger again and again, and tells Prometheus what it finds. Old entries are read by `ledger verify --full`. */
@Injectable()
export class LedgerWatch {
  private nextAccountId: string | null = null;
  /**
   * Of the round that is under way, and of the last one that came to its end. Until the first one does, the start of the process
   * stands for it: otherwise every roll-out would look like a ledger that nobody verifies.
   */
  private found = { violations: 0, driftMicros: 0 };
  private last = { violations: 0, driftMicros: 0, endedAtSeconds: Date.now() / 1_000 };

  constructor(
    private readonly verifyLedger: VerifyLedger,
    sampler: GaugeSampler,
  ) {
    const gauges = [ledgerDrift, ledgerViolations, ledgerVerifiedAt];
    sampler.add({ name: 'ledger', gauges, everyMs: EVERY_MS, read: () => this.read() });
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
    // By stretches of accounts, so that what is missing in one cannot be made up for by what another has too much.
    this.found.driftMicros += Math.abs(sumOf(books));
    this.nextAccountId = next_account_id;
    if (next_account_id !== null) return;
    this.last = { ...this.found, endedAtSeconds: Date.now() / 1_000 };
    this.found = { violations: 0, driftMicros: 0 };
  }
}

/** Every move leaves one book for another. */
function sumOf(books: LedgerBooks): number {
  const { available_micros, held_micros, revenue_micros, top_ups_micros, credits_micros } = books;
  return available_micros + held_micros + revenue_micros + top_ups_micros + credits_micros;
}
