import { Injectable } from '@nestjs/common';
import { Database, type Queryable, type RowOf, columnsOf, statement } from '@kinora/database';
import { OperatorUserEntity } from './operator-user.entity';
import type { Role } from './permissions';

const COLUMNS = columnsOf(
  OperatorUserEntity,
  ...(['id', 'email', 'role', 'password', 'subject', 'created_by', 'created_at', 'disabled_at'] as const),
);

export type OperatorUserRow = RowOf<typeof COLUMNS>;

const FIND = statement('operator_user_find', `SELECT ${COLUMNS.sql} FROM operator_user WHERE id = $1`);
const FIND_BY_EMAIL = statement(
  'operator_user_find_by_email',
  `SELECT ${COLUMNS.sql} FROM operator_user WHERE email = $1`,
);
const FIND_BY_SUBJECT = statement(
  'operator_user_find_by_subject',
  `SELECT ${COLUMNS.sql} FROM operator_user WHERE subject = $1`,
);
const LIST = statement('operator_user_list', `SELECT ${COLUMNS.sql} FROM operator_user ORDER BY email LIMIT 1000`);
const EXISTS = statement('operator_user_exists', 'SELECT EXISTS (SELECT FROM operator_user ORDER BY id) AS found');
/** The first setup is decided by one process at a time. */
const LOCK = statement(
  'operator_user_lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('kinora_operator_setup', 0))`,
);
const INSERT = statement(
  'operator_user_insert',
  `INSERT INTO operator_user (id, email, role, password, subject, created_by) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT DO NOTHING`,
);
const SET_PASSWORD = statement('operator_user_set_password', 'UPDATE operator_user SET password = $2 WHERE id = $1');
const SET_ROLE = statement('operator_user_set_role', 'UPDATE operator_user SET role = $2, email = $3 WHERE id = $1');
const DISABLE = statement(
  'operator_user_disable',
  'UPDATE operator_user SET disabled_at = CASE WHEN $2 THEN coalesce(disabled_at, now()) END WHERE id = $1',
);
const COUNT_OWNERS = statement(
  'operator_user_count_owners',
  `SELECT count(*) AS owners FROM (SELECT role, disabled_at FROM operator_user ORDER BY email LIMIT 1000) AS known
    WHERE role = 'owner' AND disabled_at IS NULL`,
);
const INSERT_LINK = statement(
  'setup_link_insert',
  `INSERT INTO setup_link (id, user_id, expires_at) VALUES ($1, $2, $3)`,
);
/** The deletion decides: of two uses at the same time, one gets the row. */
const TAKE_LINK = statement(
  'setup_link_take',
  'DELETE FROM setup_link WHERE id = $1 AND expires_at > now() RETURNING user_id',
);
const DELETE_EXPIRED_LINKS = statement('setup_link_delete_expired', 'DELETE FROM setup_link WHERE expires_at <= now()');
const DELETE_LINKS = statement('setup_link_delete_of_user', 'DELETE FROM setup_link WHERE user_id = $1');

export type NewOperatorUser = Pick<OperatorUserRow, 'id' | 'email' | 'role' | 'password' | 'subject' | 'created_by'>;

/** The operators and their setup links. */
@Injectable()
export class OperatorUserRepository {
  constructor(private readonly database: Database) {}

  find(id: string): Promise<OperatorUserRow | null> {
    return this.database.findOne<OperatorUserRow>(FIND, [id]);
  }

  findByEmail(email: string): Promise<OperatorUserRow | null> {
    return this.database.findOne<OperatorUserRow>(FIND_BY_EMAIL, [email.toLowerCase()]);
  }

  findBySubject(subject: string): Promise<OperatorUserRow | null> {
    return this.database.findOne<OperatorUserRow>(FIND_BY_SUBJECT, [subject]);
  }

  list(): Promise<OperatorUserRow[]> {
    return this.database.query<OperatorUserRow>(LIST);
  }

  async hasAny(queryable: Queryable = this.database): Promise<boolean> {
    return (await queryable.findOne<{ found: boolean }>(EXISTS))?.found ?? false;
  }

  async countOwners(): Promise<number> {
    return (await this.database.findOne<{ owners: number }>(COUNT_OWNERS))?.owners ?? 0;
  }

  /** False where the email or the subject is taken. */
  async insert(user: NewOperatorUser, queryable: Queryable = this.database): Promise<boolean> {
    const { id, email, role, password, subject, created_by } = user;
    const values = [id, email.toLowerCase(), role, password, subject, created_by];
    return (await queryable.execute(INSERT, values)) === 1;
  }

  /** Inserts the first user of all. False where there is one already. */
  insertFirst(user: NewOperatorUser): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(LOCK);
      return !(await this.hasAny(transaction)) && (await this.insert(user, transaction));
    });
  }

  async setPassword(id: string, password: string): Promise<void> {
    await this.database.execute(SET_PASSWORD, [id, password]);
  }

  async setRole(id: string, role: Role, email: string): Promise<void> {
    await this.database.execute(SET_ROLE, [id, role, email.toLowerCase()]);
  }

  async setDisabled(id: string, isDisabled: boolean): Promise<void> {
    await this.database.execute(DISABLE, [id, isDisabled]);
    if (isDisabled) await this.database.execute(DELETE_LINKS, [id]);
  }

  /** Links are rare, so each new one clears away those that have expired. */
  async insertLink(tokenSha256: Buffer, userId: string, expiresAt: Date): Promise<void> {
    await this.database.execute(DELETE_EXPIRED_LINKS);
    await this.database.execute(INSERT_LINK, [tokenSha256, userId, expiresAt]);
  }

  /** The user of a link that was valid; it is used up now. */
  async takeLink(tokenSha256: Buffer): Promise<OperatorUserRow | null> {
    const link = await this.database.findOne<{ user_id: string }>(TAKE_LINK, [tokenSha256]);
    return link && (await this.find(link.user_id));
  }
}
