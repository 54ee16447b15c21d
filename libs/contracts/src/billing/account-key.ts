import type { Micros } from '../shared/money';
import type { Page } from '../shared/page';
import type { Timestamp, Uuid } from '../shared/scalars';
import type { CapPeriod } from './billing-admin.rpc';
import type { KeyScope } from './api-key-format';

/** A key of the account, without its secret. */
export interface ApiKey {
  object: 'api_key';
  id: Uuid;
  name: string;
  /** The first characters of its secret, which suffice to recognise it. */
  prefix: string;
  /** What it may do; each scope includes those before it. */
  scope: KeyScope;
  /** The models that it may create jobs with; null for any. */
  models: string[] | null;
  /** What its jobs of one period may cost; null if only the balance of the account limits it. */
  budget_micros: Micros | null;
  /** Days and months are those of UTC. Null without a budget. */
  budget_period: CapPeriod | null;
  /** What its jobs of the current period have reserved and cost; null without a budget. */
  spent_micros: Micros | null;
  /** When it stops working; null if it never does. */
  expires_at: Timestamp | null;
  created_at: Timestamp;
  /** Precise to a minute; null if it was never used. */
  last_used_at: Timestamp | null;
}

/** A page of keys, newest first, without revoked ones. */
export type ApiKeyList = Page<ApiKey>;

/** A key with a new secret. */
export interface IssuedApiKey extends ApiKey {
  /** The secret. It is in this response only, and cannot be read again. */
  api_key: string;
}

/** A key that was revoked. */
export interface DeletedApiKey {
  object: 'api_key';
  id: Uuid;
  deleted: true;
}
