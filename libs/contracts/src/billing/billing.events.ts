import { signal } from '../shared/contract';

/** Keys of this account whose leases end now. */
export interface RecalledLeases {
  account_id: string;
}

export const billingSignals = {
  /**
   * The gateways return all leases of the account: its status, a limit or a key has changed, or a bucket is empty while
   * leases hold tokens. The signal may be lost: every lease ends within a second.
   */
  leasesRecalled: signal<RecalledLeases>('billing.v1.signal.leases_recalled'),
} as const;
