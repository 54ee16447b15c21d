import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { KeyScope } from '@kinora/contracts/billing/api-key-format';
import type { DerivedPassword, MemberRole, MemberSession } from '@kinora/contracts/billing/users.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Queryable } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { ApiKeyRepository } from '../api-key/api-key.repository';
import { mintApiKey } from '../api-key/minted-api-key';
import { BillingConfig } from '../billing.config';
import { AuditTrail } from '../operator/audit-trail.repository';
import { type UserRow, UserRepository } from './user.repository';

/** A session of the console lasts as long. */
const KEY_SECONDS = 12 * 60 * 60;
/** The console allows each role less; billing checks the role again where a key could reach more (`key-rights.ts`). */
const SCOPE_OF_ROLE: Record<MemberRole, KeyScope> = {
  owner: 'account',
  billing: 'account',
  developer: 'account',
  viewer: 'read',
};

/** Opens sessions of members: each has a key of its own, which ends with it. */
@Injectable()
export class MemberSessions {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly users: UserRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly auditTrail: AuditTrail,
    private readonly config: BillingConfig,
  ) {}

  /**
   * Reads the membership under the lock of the account: a removal or another role signs the member out of the sessions that are there,
   * and must miss none. @throws ApiError not_found
   */
  async open(
    transaction: Queryable,
    { id: user_id, email }: Pick<UserRow, 'id' | 'email'>,
    account_id: string,
  ): Promise<MemberSession> {
    await this.accounts.lock(transaction, account_id);
    const membership = await this.users.findMembership(transaction, user_id, account_id);
    if (!membership) throw new ApiError('not_found', 'You are no member of this account.', { param: 'account_id' });
    const { role } = membership;
    const { key: api_key, ...stored } = mintApiKey(this.config.keyPepper);
    const api_key_id = uuidv7();
    const scope = SCOPE_OF_ROLE[role];
    const expires_at = new Date(Date.now() + KEY_SECONDS * 1_000).toISOString();
    const key = { id: api_key_id, account_id, name: 'Console session', scope, allowed_models: null };
    const member = { is_portal: true, user_id, member_role: role };
    await this.apiKeys.insert(transaction, { ...key, ...stored, ...member, expires_at });
    await this.auditTrail.record(transaction, 'sign_in', { account_id, actor: `member ${user_id}`, api_key_id, role });
    return { api_key, api_key_id, account_id, scope, expires_at, user_id, email, role };
  }
}

/** Does the same work for a user without a password, or without a user. */
export function isPasswordOf(user: UserRow | null, derived: string): boolean {
  const expected = user?.password_hash ?? randomBytes(32);
  const given = hashOf(derived);
  return timingSafeEqual(given, expected) && user !== null && user.password_hash !== null;
}

const SALT = /^scrypt\$\d{1,8}\$\d{1,3}\$\d{1,3}\$[\w-]{16,64}$/;
const DERIVED = /^[0-9a-f]{64}$/;

/** The columns of a new password. @throws ApiError invalid_body */
export function toStoredPassword({ salt, derived }: DerivedPassword) {
  if (!SALT.test(salt) || !DERIVED.test(derived))
    throw new ApiError('invalid_body', 'password must be derived by scrypt.', { param: 'password' });
  return { password_salt: salt, password_hash: hashOf(derived) };
}

function hashOf(derived: string): Buffer {
  return createHash('sha256').update(derived).digest();
}
