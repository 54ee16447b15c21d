import { rpc } from '../shared/contract';
import type { Micros } from '../shared/money';
import type { PresentedKeyRequest } from './portal.rpc';

export interface KeySpendRequest extends PresentedKeyRequest {
  /** The last days of UTC, today included: 1 to 366. Defaults to 30. */
  days?: number;
}

/** What the jobs of one key have cost. */
export interface KeySpend {
  /** Null for the keys of portal sessions, which are one line together. */
  api_key_id: string | null;
  name: string | null;
  prefix: string | null;
  revoked_at: string | null;
  /** Jobs that succeeded. */
  jobs: number;
  /** What was captured for them. Jobs in flight are not in it, and neither are refunds. */
  charged_micros: Micros;
}

export interface KeySpendList {
  /** The first day of the period. */
  from: string;
  /** Its last day. */
  to: string;
  /** The keys that have spent something, the dearest first; a hundred at most. */
  data: KeySpend[];
  has_more: boolean;
}

export const keySpendRpc = {
  /** The spend of each key that the presented key manages, also of revoked ones. A job counts on the day on which it was created. */
  listSpend: rpc<KeySpendRequest, KeySpendList>('billing.v1.list_key_spend', {
    timeoutMs: 5_000,
    errors: ['invalid_api_key', 'scope_required', 'invalid_body', 'capacity'],
  }),
} as const;
