import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { ApiKey } from '@kinora/contracts/billing/account-key';
import type { CapPeriod } from '@kinora/contracts/billing/billing-admin.rpc';
import type { KeyCaller } from '@kinora/contracts/billing/self-service.rpc';
import type { MemberRole } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type Queryable, statement } from '@kinora/database';
import type { PagePlace } from '../operator/page-place';
import { assertGivable, isRestricted, type KeyRights } from './key-rights';

/** A valid key of the scope `account`. */
interface AccountKey {
  id: string;
  /** Null if it never expires. */
  expires_at: Date | null;
}

/**
 * Refuses to revoke a key if no other key of the scope `account` lasts as long. A key that expires earlier is no replacement:
 * after its end no key could administer the account through the API.
 * @param accountKeys the valid keys of the scope `account`
 * @throws ApiError last_account_key
 */
export function assertReplaceable(keyId: string, accountKeys: AccountKey[]): void {
  const revoked = accountKeys.find(({ id }) => id === keyId);
  if (!revoked || accountKeys.some((other) => other !== revoked && lastsAsLong(other, revoked))) return;
  throw new ApiError(
    'last_account_key',
    'No other key of the scope account is valid for as long as this one. Create one first, or rotate this key.',
  );
}

function lastsAsLong({ expires_at: end }: AccountKey, { expires_at: until }: AccountKey): boolean {
  return end === null || (until !== null && end >= until);
}

/** A key of the account that is not revoked. */
interface ManagedKey extends Pick<KeyRights, 'scope' | 'allowed_models' | 'expires_at'> {
  id: string;
  name: string;
  prefix: string;
  member_role: MemberRole | null;
  cap_micros: number | null;
  period: CapPeriod | null;
  spent_micros: number | null;
  created_at: Date;
  last_used_at: Date | null;
}

export interface CallingKey extends KeyRights {
  id: string;
  account_id: string;
}

const COLUMNS = `id, name, prefix, member_role, scope, allowed_models, expires_at, created_at, last_used_at,
  budget.cap_micros, budget.period,
  CASE WHEN budget.period_start < date_trunc(budget.period, now() AT TIME ZONE 'UTC') THEN 0 ELSE budget.spent_micros END
    AS spent_micros`;
const KEYS = 'api_key LEFT JOIN key_budget AS budget ON budget.api_key_id = id';
const VALID = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';
/** Keys of portal sessions are not managed: they end with their session. $2 is the caller if it manages only itself and the keys that it has created; null if it manages all. */
const MANAGED =
  'account_id = $1 AND revoked_at IS NULL AND NOT is_portal AND ($2::uuid IS NULL OR id = $2 OR created_by = $2)';

const FIND_CALLER = statement(
  'api_key_find_caller',
  `SELECT ${COLUMNS} FROM ${KEYS} WHERE account_id = $1 AND id = $2 AND ${VALID}`,
);

const FIND_MANAGED = statement('api_key_find_managed', `SELECT ${COLUMNS} FROM ${KEYS} WHERE ${MANAGED} AND id = $3`);

const LIST_MANAGED = statement(
  'api_key_list_managed',
  `SELECT ${COLUMNS} FROM ${KEYS}
   WHERE ${MANAGED} AND id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff') ORDER BY id DESC LIMIT $4`,
);

const LIST_ACCOUNT_KEYS = statement(
  'api_key_list_of_scope_account',
  `SELECT id, expires_at FROM api_key WHERE account_id = $1 AND scope = 'account' AND ${VALID}`,
);

const COUNT = statement(
  'api_key_count',
  `SELECT count(*)::integer AS keys FROM api_key WHERE account_id = $1 AND revoked_at IS NULL AND NOT is_portal`,
);

/** The keys of an account as one of them sees them. Operators see them through `ApiKeyRepository`. */
@Injectable()
export class ManagedKeyRepository {
  constructor(private readonly database: Database) {}

  /**
   * The key of a request with its present rights, of which the gateway may know less. @throws ApiError invalid_api_key,
   * scope_required
   */
  async getCaller({ account_id, api_key_id }: KeyCaller, on: Queryable = this.database): Promise<CallingKey> {
    const key = await on.findOne<ManagedKey>(FIND_CALLER, [account_id, api_key_id]);
    if (!key) throw new ApiError('invalid_api_key', 'The API key is not valid any more.');
    if (key.scope !== 'account')
      throw new ApiError('scope_required', `This operation needs an API key of the scope account, not ${key.scope}.`);
    // The key of a member's session ends with it, and the member's keys do not.
    const expires_at = key.member_role === null ? key.expires_at : null;
    return { ...key, account_id, expires_at, budget: budgetOf(key) };
  }

  /** A key that is revoked, or not the caller's to manage, is answered like an unknown one. @throws ApiError not_found, scope_required */
  async getManaged(on: Queryable, calling: CallingKey, keyId: string): Promise<ManagedKey> {
    const key = isUuid(keyId)
      ? await on.findOne<ManagedKey>(FIND_MANAGED, [calling.account_id, managerOf(calling), keyId])
      : null;
    if (!key) throw new ApiError('not_found', 'There is no such key.');
    assertGivable(calling, key.scope);
    return key;
  }

  /** Newest first. */
  listManaged(calling: CallingKey, { cursor, limit }: PagePlace): Promise<ManagedKey[]> {
    return this.database.query<ManagedKey>(LIST_MANAGED, [calling.account_id, managerOf(calling), cursor, limit]);
  }

  listAccountKeys(on: Queryable, accountId: string): Promise<AccountKey[]> {
    return on.query<AccountKey>(LIST_ACCOUNT_KEYS, [accountId]);
  }

  /** Expired keys count too: they are listed until they are revoked. */
  async count(on: Queryable, accountId: string): Promise<number> {
    return (await on.findOne<{ keys: number }>(COUNT, [accountId]))?.keys ?? 0;
  }
}

/** A key with restrictions manages itself and the keys that it has created; null for a key that manages all. */
export function managerOf(calling: CallingKey): string | null {
  return isRestricted(calling) ? calling.id : null;
}

export function toApiKey(key: ManagedKey): ApiKey {
  const { id, name, prefix, scope } = key;
  return {
    object: 'api_key',
    ...{ id, name, prefix, scope },
    models: key.allowed_models,
    budget_micros: key.cap_micros,
    budget_period: key.period,
    spent_micros: key.spent_micros,
    expires_at: key.expires_at?.toISOString() ?? null,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
  };
}

function budgetOf({ cap_micros, period, spent_micros }: ManagedKey): KeyRights['budget'] {
  if (cap_micros === null || period === null || spent_micros === null) return null;
  return { cap_micros, period, spent_micros };
}
