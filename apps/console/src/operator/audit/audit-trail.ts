import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database, type RowOf, columnsOf, statement } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { ConsoleError } from '../../http/console-error';
import { AuditEntryEntity } from './audit-entry.entity';

const COLUMNS = columnsOf(
  AuditEntryEntity,
  ...(['id', 'at', 'user_id', 'actor', 'action', 'target', 'account_id', 'reason'] as const),
  ...(['before', 'after', 'outcome', 'request_id'] as const),
);

type AuditRow = RowOf<typeof COLUMNS>;

/** In the order of the columns, which `Omit` would not keep in the OpenAPI document. */
type Texts<Row> = { [Key in keyof Row as Exclude<Key, 'id' | 'at'>]: Row[Key] };
export type AuditEntry = Texts<AuditEntryEntity> & { id: string; at: string };

const INSERT = statement(
  'audit_entry_insert',
  `INSERT INTO audit_entry (user_id, actor, action, target, account_id, reason, before, after, request_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
);
const END = statement(
  'audit_entry_end',
  'UPDATE audit_entry SET outcome = $2, after = coalesce($3::jsonb, after) WHERE id = $1',
);
const LIST = statement(
  'audit_entry_list',
  `SELECT ${COLUMNS.sql} FROM audit_entry WHERE id < coalesce($1, 9223372036854775807) ORDER BY id DESC LIMIT $2`,
);
/**
 * The row comparisons leave the index of the column as the only one with this order. With an equality, PostgreSQL would read all
 * entries from the newest one on where it expects that a few users have made them.
 */
const listOf = (column: 'account_id' | 'user_id'): string =>
  `SELECT ${COLUMNS.sql} FROM audit_entry
    WHERE ${column} IS NOT NULL AND (${column}, id) >= ($3, 0) AND (${column}, id) < ($3, coalesce($1, 9223372036854775807))
    ORDER BY ${column} DESC, id DESC LIMIT $2`;
const LIST_OF_ACCOUNT = statement('audit_entry_list_of_account', listOf('account_id'));
const LIST_OF_USER = statement('audit_entry_list_of_user', listOf('user_id'));

/** Who acts: an operator of the console, or the command line, which has no user. */
export interface Actor {
  id: string | null;
  email: string;
  request_id: string;
}

/** What is recorded of an action. Never a secret, a prompt or a password. */
export interface AuditedAction {
  action: string;
  target?: string;
  account_id?: string;
  reason?: string;
  before?: object;
  /** What was asked for, or what the action has led to. */
  after?: object;
}

/** Records who did what. The entry is written before the action, so that none can happen without a trace. */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async run<Result>(
    by: Actor,
    action: AuditedAction,
    work: () => Promise<Result>,
    describe: (result: Result) => object | null = () => null,
  ): Promise<Result> {
    const id = await this.begin(by, action);
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      // An answer that was lost says nothing about the action.
      const isRefused = error instanceof ConsoleError || (error instanceof ApiError && error.status < 500);
      if (isRefused) await this.end(id, `refused: ${error.code}`, null);
      throw error;
    }
    await this.end(id, 'done', describe(result));
    return result;
  }

  /** Newest first. */
  list(of: { account_id?: string; user_id?: string }, beforeId: number | null, limit: number): Promise<AuditRow[]> {
    if (of.account_id !== undefined)
      return this.database.query<AuditRow>(LIST_OF_ACCOUNT, [beforeId, limit, of.account_id]);
    if (of.user_id !== undefined) return this.database.query<AuditRow>(LIST_OF_USER, [beforeId, limit, of.user_id]);
    return this.database.query<AuditRow>(LIST, [beforeId, limit]);
  }

  private async begin(
    by: Actor,
    { action, target, account_id, reason, before, after }: AuditedAction,
  ): Promise<number> {
    const row = await this.database.findOne<{ id: number }>(INSERT, [
      ...[by.id, by.email, action, target ?? null, account_id ?? null, reason ?? null],
      ...[before ? JSON.stringify(before) : null, after ? JSON.stringify(after) : null, by.request_id],
    ]);
    if (!row) throw new Error('The statement that inserts an audit entry returned no row.');
    return row.id;
  }

  /**
   * An outcome that cannot be stored stands in the log, and the entry stays `unknown`: an error would let the operator repeat an
   * action that has taken place, or hide why it was refused.
   */
  private async end(id: number, outcome: string, after: object | null): Promise<void> {
    try {
      await this.database.execute(END, [id, outcome, after && JSON.stringify(after)]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.error({ audit_entry_id: id, outcome, reason }, 'audit_outcome_not_recorded');
    }
  }
}
