import { Injectable } from '@nestjs/common';
import type { LedgerVerification } from '@kinora/contracts/billing/ledger-days.rpc';
import type { Micros } from '@kinora/contracts/shared/money';

/** The last completed round in which this process has verified all wallets. */
@Injectable()
export class LedgerRounds {
  last: LedgerVerification = { verified_at: null, violations: 0, drift_micros: 0 };

  record({ violations, driftMicros }: { violations: number; driftMicros: Micros }): void {
    this.last = { verified_at: new Date().toISOString(), violations, drift_micros: driftMicros };
  }
}
