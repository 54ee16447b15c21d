import { Injectable } from '@nestjs/common';
import type { Member, MemberAccount, MemberRole } from '@kinora/contracts/billing/users.rpc';
import { Database, type Queryable, type RowOf, columnsOf, statement } from '@kinora/database';
import { CustomerUserEntity } from './user.entity';

const COLUMNS = columnsOf(CustomerUserEntity, ...(['id', 'email', 'password_salt', 'password_hash'] as const));
export type UserRow = RowOf<typeof COLUMNS>;

const FIND = statement('customer_user_find', `SELECT ${COLUMNS.sql} FROM customer_user WHERE email = $1`);
/** Of two at the same time, both get the one row, with the password of the last one. */
const SAVE = statement(
  'customer_user_save',
  `INSERT INTO customer_user (id, email, password_salt, password_hash) VALUES ($1, $2, $3, $4)
   ON CONFLICT (email) DO UPDATE SET password_salt = excluded.password_salt, password_hash = excluded.password_hash
   RETURNING ${COLUMNS.sql}`,
);
const FIND_BY_SUBJECT = statement(
  'customer_user_find_by_subject',
  `SELECT ${COLUMNS.sql} FROM customer_user WHERE subject = $1`,
);
/** Without a password. An address that is taken belongs to another user. */
const INSERT_OF_PROVIDER = statement(
  'customer_user_insert_of_provider',
  `INSERT INTO customer_user (id, email, subject) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING ${COLUMNS.sql}`,
);
const DELETE = statement('customer_user_delete', 'DELETE FROM customer_user WHERE id = $1');

const FIND_MEMBERSHIP = statement(
  'account_member_find_latest',
  `SELECT account_id, role FROM account_member WHERE user_id = $1 AND ($2::uuid IS NULL OR account_id = $2)
   ORDER BY created_at DESC LIMIT 1`,
);
const LIST_ACCOUNTS = statement(
  'account_member_list_accounts',
  `SELECT account_id, name, role, email FROM account_member
   JOIN account ON account.id = account_id JOIN customer_user ON customer_user.id = user_id
   WHERE user_id = $1 ORDER BY name, account_id`,
);
const LIST = statement(
  'account_member_list',
  `SELECT user_id, email, role, member.created_at FROM account_member AS member
   JOIN customer_user ON customer_user.id = member.user_id
   WHERE account_id = $1 ORDER BY member.created_at, user_id LIMIT 1000`,
);
const ADD = statement(
  'account_member_add',
  `INSERT INTO account_member (account_id, user_id, role) VALUES ($1, $2, $3)
   ON CONFLICT (account_id, user_id) DO UPDATE SET created_at = now()`,
);
const SET_ROLE = statement(
  'account_member_set_role',
  'UPDATE account_member SET role = $3 WHERE account_id = $1 AND user_id = $2',
);
const REMOVE = statement('account_member_remove', 'DELETE FROM account_member WHERE account_id = $1 AND user_id = $2');
const REMOVE_USER = statement('account_member_remove_user', 'DELETE FROM account_member WHERE user_id = $1');
/** By the account, whose unrevoked keys have an index. */
const REVOKE_SESSIONS = statement(
  'api_key_revoke_sessions_of_member',
  `UPDATE api_key SET revoked_at = now() WHERE account_id = $1 AND user_id = $2 AND is_portal AND revoked_at IS NULL`,
);
const TAKE_CREDIT = statement(
  'sign_up_credit_take',
  `INSERT INTO sign_up_credit (address_hash, account_id)
   SELECT ($1::bytea[])[1], $2 WHERE NOT EXISTS (SELECT FROM sign_up_credit WHERE address_hash = ANY($1))
   ON CONFLICT DO NOTHING`,
);

export interface Membership {
  account_id: string;
  role: MemberRole;
}

/** People, and the accounts of which they are members. */
@Injectable()
export class UserRepository {
  constructor(private readonly database: Database) {}

  find(email: string, on: Queryable = this.database): Promise<UserRow | null> {
    return on.findOne<UserRow>(FIND, [email]);
  }

  /** Inserts the user, or replaces the password of the one with this address. */
  async save(on: Queryable, { id, email, password_salt, password_hash }: UserRow): Promise<UserRow> {
    const row = await on.findOne<UserRow>(SAVE, [id, email, password_salt, password_hash]);
    if (!row) throw new Error('The INSERT of a user returned no row.');
    return row;
  }

  findBySubject(on: Queryable, subject: string): Promise<UserRow | null> {
    return on.findOne<UserRow>(FIND_BY_SUBJECT, [subject]);
  }

  /** Null where the address or the subject is taken. */
  insertOfProvider(on: Queryable, id: string, email: string, subject: string): Promise<UserRow | null> {
    return on.findOne<UserRow>(INSERT_OF_PROVIDER, [id, email, subject]);
  }

  async delete(on: Queryable, userId: string): Promise<void> {
    await on.execute(REMOVE_USER, [userId]);
    await on.execute(DELETE, [userId]);
  }

  /** Of the given account, or the latest one; null for a user without an account. */
  findMembership(on: Queryable, userId: string, accountId: string | null = null): Promise<Membership | null> {
    return on.findOne<Membership>(FIND_MEMBERSHIP, [userId, accountId]);
  }

  /** Each with the address of the user. */
  listAccounts(on: Queryable, userId: string): Promise<(MemberAccount & { email: string })[]> {
    return on.query<MemberAccount & { email: string }>(LIST_ACCOUNTS, [userId]);
  }

  async listMembers(on: Queryable, accountId: string): Promise<Member[]> {
    const rows = await on.query<Omit<Member, 'created_at'> & { created_at: Date }>(LIST, [accountId]);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }

  /** A member who is invited again keeps the role, and opens this account at the next sign-in. */
  async add(on: Queryable, accountId: string, userId: string, role: MemberRole): Promise<void> {
    await on.execute(ADD, [accountId, userId, role]);
  }

  async setRole(on: Queryable, accountId: string, userId: string, role: MemberRole): Promise<void> {
    await on.execute(SET_ROLE, [accountId, userId, role]);
  }

  async remove(on: Queryable, accountId: string, userId: string): Promise<void> {
    await on.execute(REMOVE, [accountId, userId]);
  }

  /** Signs the member out of the account, in every browser. */
  async revokeSessions(on: Queryable, accountId: string, userId: string): Promise<void> {
    await on.execute(REVOKE_SESSIONS, [accountId, userId]);
  }

  /** False for a person who has had the credit. @param addressHashes the current one first */
  async takeCredit(on: Queryable, addressHashes: Buffer[], accountId: string): Promise<boolean> {
    return (await on.execute(TAKE_CREDIT, [addressHashes, accountId])) === 1;
  }
}
