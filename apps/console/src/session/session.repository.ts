import { Injectable } from '@nestjs/common';
import { Database, type RowOf, columnsOf, statement } from '@kinora/database';
import { SessionEntity } from './session.entity';

const COLUMNS = columnsOf(
  SessionEntity,
  ...(['id', 'kind', 'account_id', 'api_key_id', 'key_prefix', 'scope', 'is_portal', 'credential'] as const),
  ...(['member_id', 'member_role', 'member_email'] as const),
  ...(['user_id', 'confirmed_until', 'address', 'user_agent', 'created_at', 'expires_at'] as const),
);

const FIND = statement(
  'session_find',
  `SELECT ${COLUMNS.sql} FROM session WHERE id = $1 AND kind = $2 AND expires_at > now()`,
);
const INSERT = statement(
  'session_insert',
  `INSERT INTO session (id, kind, account_id, api_key_id, key_prefix, scope, is_portal, credential, user_id, confirmed_until,
                        address, user_agent, expires_at, member_id, member_role, member_email)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
);
const LIST_OF_ACCOUNT = statement(
  'session_list_of_account',
  `SELECT ${COLUMNS.sql} FROM session
   WHERE account_id = $1 AND ($2::uuid IS NULL OR api_key_id = $2) AND expires_at > now() ORDER BY created_at DESC LIMIT $3`,
);
const FIND_UNEXPIRED = statement(
  'session_find_unexpired',
  'SELECT id FROM session WHERE id = ANY($1::bytea[]) AND expires_at > now()',
);
const CONFIRM = statement('session_confirm', 'UPDATE session SET confirmed_until = $2 WHERE id = $1');
const DELETE = statement('session_delete', 'DELETE FROM session WHERE id = $1');
const DELETE_OF_USER = statement('session_delete_of_user', 'DELETE FROM session WHERE user_id = $1');
const PRUNE = statement(
  'session_prune',
  `DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)`,
);

export type SessionRow = RowOf<typeof COLUMNS>;
export type NewSession = Omit<SessionRow, 'created_at'>;

/** The sessions of both halves. A process caches none, so a deleted row ends its session everywhere at once. */
@Injectable()
export class SessionRepository {
  constructor(private readonly database: Database) {}

  /** Null for a session that has ended. */
  find(id: Buffer, kind: SessionRow['kind']): Promise<SessionRow | null> {
    return this.database.findOne<SessionRow>(FIND, [id, kind]);
  }

  async insert(row: NewSession): Promise<void> {
    await this.database.execute(INSERT, [
      ...[row.id, row.kind, row.account_id, row.api_key_id, row.key_prefix, row.scope, row.is_portal, row.credential],
      ...[row.user_id, row.confirmed_until, row.address, row.user_agent, row.expires_at],
      ...[row.member_id, row.member_role, row.member_email],
    ]);
  }

  /** The ids whose sessions have neither ended nor expired. */
  async findUnexpired(ids: Buffer[]): Promise<Buffer[]> {
    return (await this.database.query<Pick<SessionRow, 'id'>>(FIND_UNEXPIRED, [ids])).map(({ id }) => id);
  }

  /** The latest ones: those of one key, or with null of all keys. */
  listOfAccount(accountId: string, apiKeyId: string | null, limit: number): Promise<SessionRow[]> {
    return this.database.query<SessionRow>(LIST_OF_ACCOUNT, [accountId, apiKeyId, limit]);
  }

  async confirm(id: Buffer, until: Date): Promise<void> {
    await this.database.execute(CONFIRM, [id, until]);
  }

  /** False where the session has ended already. */
  async delete(id: Buffer): Promise<boolean> {
    return (await this.database.execute(DELETE, [id])) === 1;
  }

  deleteOfUser(userId: string): Promise<number> {
    return this.database.execute(DELETE_OF_USER, [userId]);
  }

  /** Deletes expired rows. @returns how many */
  prune(limit: number): Promise<number> {
    return this.database.execute(PRUNE, [limit]);
  }
}
