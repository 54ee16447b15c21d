import { rpc } from '../shared/contract';
import type { KeyScope } from './key-scope';

/** A key that is presented to the console, by its hash. */
export interface PresentedKeyRequest {
  /** The hash in hex; the key itself is never sent between services. */
  key_sha256: string;
}

/** What the console needs to know of a key to open a session with it. */
export interface PresentedKey {
  account_id: string;
  api_key_id: string;
  scope: KeyScope;
  /** When the presented secret stops working; null if it does not. */
  expires_at: string | null;
}

/** Requests of the customers' half of the console. Each concerns the key or the link whose secret the request proves. */
export const portalRpc = {
  describeKey: rpc<PresentedKeyRequest, PresentedKey>('billing.v1.describe_key', {
    timeoutMs: 5_000,
    errors: ['invalid_api_key', 'capacity'],
  }),
} as const;
