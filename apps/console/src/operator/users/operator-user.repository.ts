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
/** Serialises the first setup and changes of owners over all processes. */
const LOCK = statement(
  'operator_user_lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('kinora_operator_setup', 0))`,
);
const INSERT = statement(
  'operator_user_insert',
  `INSERT INTO operator_user (id, email, role, password, subject, created_by) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT DO NOTHING`,
);
const SET_FIRST_PASSWORD = statement(
  'operator_user_set_first_password',
  'UPDATE operator_user SET password = $2 WHERE id = $1 AND password IS NULL AND disabled_at IS NULL',
);
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
  'DELETE FROM setup_link WHERE id = $1 AND user_id = $2 AND expires_at > now()',
);
const PRUNE_LINKS = statement(
  'setup_link_prune',
  'DELETE FROM setup_link WHERE id IN (SELECT id FROM setup_link WHERE expires_at <= now() ORDER BY id LIMIT $1)',
);
const DELETE_LINKS = statement('setup_link_delete_of_user', 'DELETE FROM setup_link WHERE user_id = $1');

export type NewOperatorUser = Pick<OperatorUserRow, 'id' | 'email' | 'role' | 'password' | 'subject' | 'created_by'>;

/** The operators and their setup links. */
@Injectable()
export class OperatorUserRepository {
  constructor(private readonly database: Database) {}

  find(id: string): Promise<OperatorUserRow | null> {
    return this.database.findOne<OperatorUserRow>(FIND, [id]);
  }

  findByEmail(email: string, queryable: Queryable = this.database): Promise<OperatorUserRow | null> {
    return queryable.findOne<OperatorUserRow>(FIND_BY_EMAIL, [email.toLowerCase()]);
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

  async countOwners(queryable: Queryable): Promise<number> {
    return (await queryable.findOne<{ owners: number }>(COUNT_OWNERS))?.owners ?? 0;
  }

  /** False where the email or the subject is taken. */
  async insert(user: NewOperatorUser, queryable: Queryable = this.database): Promise<boolean> {
    const { id, email, role, password, subject, created_by } = user;
    const values = [id, email.toLowerCase(), role, password, subject, created_by];
    return (await queryable.execute(INSERT, values)) === 1;
  }

  /** Inserts the first user of all. False where there is one already. */
  insertFirst(user: NewOperatorUser): Promise<boolean> {
    return this.runLocked(
      async (transaction) => !(await this.hasAny(transaction)) && (await this.insert(user, transaction)),
    );
  }

  /** Runs the work in a transaction, after that of every other caller. */
  runLocked<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(LOCK);
      return work(transaction);
    });
  }

  async setRole(id: string, role: Role, email: string, queryable: Queryable = this.database): Promise<void> {
    await queryable.execute(SET_ROLE, [id, role, email.toLowerCase()]);
  }

  async setDisabled(id: string, isDisabled: boolean, queryable: Queryable): Promise<void> {
    await queryable.execute(DISABLE, [id, isDisabled]);
    if (isDisabled) await queryable.execute(DELETE_LINKS, [id]);
  }

  async insertLink(tokenSha256: Buffer, userId: string, expiresAt: Date): Promise<void> {
    await this.database.execute(INSERT_LINK, [tokenSha256, userId, expiresAt]);
  }

  /** Deletes expired links. @returns how many */
  pruneLinks(limit: number): Promise<number> {
    return this.database.execute(PRUNE_LINKS, [limit]);
  }

  /**
   * Uses up the link of the user, and sets the first password by it. The user's other links end with it: each of them could
   * replace the password. False for a link that is unknown, used, expired or of another user.
   */
  setFirstPassword(tokenSha256: Buffer, userId: string, password: string): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      if ((await transaction.execute(TAKE_LINK, [tokenSha256, userId])) !== 1) return false;
      await transaction.execute(DELETE_LINKS, [userId]);
      return (await transaction.execute(SET_FIRST_PASSWORD, [userId, password])) === 1;
    });
  }
}
