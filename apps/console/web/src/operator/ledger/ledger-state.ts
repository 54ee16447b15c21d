import type { LedgerDays } from '../../api/operator';
import { formatCount } from '../../formatting/quantity';

/** Whether the last verification found wallets that differ from the ledger. */
export function ledgerState({ verified_at, violations }: LedgerDays['verification']): string {
  if (verified_at === null) return '–';
  return violations === 0 ? 'Exact' : `${formatCount(violations)} wrong`;
}
