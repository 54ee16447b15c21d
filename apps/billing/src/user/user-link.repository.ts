import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { LinkPurpose, MemberRole } from '@kinora/contracts/billing/users.rpc';
import { Database, type Queryable, type RowOf, columnsOf, statement } from '@kinora/database';
import { registeredDomain } from './email-address';
import { UserLinkEntity } from './user.entity';

const TOKEN_BYTES = 32;
export const USER_LINKS_PRUNE_PAGE = 1_000;

const COLUMNS = columnsOf(UserLinkEntity, ...(['purpose', 'email', 'account_id', 'role', 'expires_at'] as const));
const VALID = 'used_at IS NULL AND expires_at > now()';

const INSERT = statement(
  'user_link_insert',
  `INSERT INTO user_link (token_hash, purpose, email, domain, account_id, role, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, now() + $7::integer * interval '1 second') RETURNING expires_at`,
);
const FIND = statement('user_link_find', `SELECT ${COLUMNS.sql} FROM user_link WHERE token_hash = $1 AND ${VALID}`);
/** The row lock decides between concurrent uses. */
const TAKE = statement(
  'user_link_take',
  `UPDATE user_link SET used_at = now() WHERE token_hash = $1 AND ${VALID} RETURNING ${COLUMNS.sql}`,
);
const WITHDRAW = statement(
  'user_link_withdraw',
  `UPDATE user_link SET used_at = now() WHERE email = $1 AND purpose <> 'invitation' AND ${VALID}`,
);
const WITHDRAW_INVITATION = statement(
  'user_link_withdraw_invitation',
  `UPDATE user_link SET used_at = now() WHERE account_id = $1 AND email = $2 AND ${VALID}`,
);
const LIST_INVITATIONS = statement(
  'user_link_list_invitations',
  `SELECT DISTINCT ON (email) ${COLUMNS.sql} FROM user_link WHERE account_id = $1 AND ${VALID}
   ORDER BY email, created_at DESC LIMIT 100`,
);
const LAST_HOUR = `created_at > now() - interval '1 hour'`;
const COUNT_TO_EMAIL = statement(
  'user_link_count_to_email',
  `SELECT count(*) AS links FROM user_link WHERE email = $1 AND ${LAST_HOUR}`,
);
const COUNT_TO_DOMAIN = statement(
  'user_link_count_to_domain',
  `SELECT count(*) AS links FROM user_link WHERE domain = $1 AND purpose = 'sign_up' AND ${LAST_HOUR}`,
);
const COUNT_OF_ACCOUNT = statement(
  'user_link_count_of_account',
  `SELECT count(*) AS links FROM user_link WHERE account_id = $1 AND created_at > now() - interval '1 day'`,
);
const DELETE_TO_EMAIL = statement('user_link_delete_to_email', 'DELETE FROM user_link WHERE email = $1');
const PRUNE = statement(
  'user_link_prune',
  `DELETE FROM user_link WHERE token_hash IN (
     SELECT token_hash FROM user_link WHERE expires_at <= now() - interval '1 day'
     ORDER BY expires_at LIMIT ${USER_LINKS_PRUNE_PAGE})`,
);

export type UserLink = RowOf<typeof COLUMNS>;

export interface NewUserLink {
  purpose: LinkPurpose;
  email: string;
  invitation?: { account_id: string; role: MemberRole };
  ttlSeconds: number;
}

/** Links of e-mails until a day after their end, because they are also counted. */
@Injectable()
export class UserLinkRepository {
  constructor(private readonly database: Database) {}

  /** @returns the token, which is stored as a hash only */
  async insert(on: Queryable, link: NewUserLink): Promise<{ token: string; expires_at: Date }> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const { purpose, email, invitation, ttlSeconds } = link;
    const hash = createHash('sha256').update(token).digest();
    const place = [registeredDomain(email), invitation?.account_id ?? null, invitation?.role ?? null];
    const row = await on.findOne<Pick<UserLink, 'expires_at'>>(INSERT, [hash, purpose, email, ...place, ttlSeconds]);
    if (!row) throw new Error('The INSERT of a link returned no row.');
    return { token, expires_at: row.expires_at };
  }

  /** Null for one that is unknown, used or expired. */
  find(tokenHash: Buffer): Promise<UserLink | null> {
    return this.database.findOne<UserLink>(FIND, [tokenHash]);
  }

  take(on: Queryable, tokenHash: Buffer): Promise<UserLink | null> {
    return on.findOne<UserLink>(TAKE, [tokenHash]);
  }

  /** Ends every other link that sets the password. An invitation of a known user needs it, so it stays. */
  async withdraw(on: Queryable, email: string): Promise<void> {
    await on.execute(WITHDRAW, [email]);
  }

  /** False where none waits. */
  async withdrawInvitation(on: Queryable, accountId: string, email: string): Promise<boolean> {
    return (await on.execute(WITHDRAW_INVITATION, [accountId, email])) > 0;
  }

  listInvitations(on: Queryable, accountId: string): Promise<UserLink[]> {
    return on.query<UserLink>(LIST_INVITATIONS, [accountId]);
  }

  /** In the last hour; those of an account in the last day. */
  async count(on: Queryable, by: { email: string } | { domain: string } | { account_id: string }): Promise<number> {
    const [counting, value] =
      'email' in by
        ? [COUNT_TO_EMAIL, by.email]
        : 'domain' in by
          ? [COUNT_TO_DOMAIN, by.domain]
          : [COUNT_OF_ACCOUNT, by.account_id];
    return (await on.findOne<{ links: number }>(counting, [value]))?.links ?? 0;
  }

  async deleteTo(on: Queryable, email: string): Promise<void> {
    await on.execute(DELETE_TO_EMAIL, [email]);
  }

  /** Deletes a page of expired links. @returns how many */
  prune(): Promise<number> {
    return this.database.execute(PRUNE);
  }
}
