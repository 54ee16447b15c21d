/** SQL with a name: prepared once per connection, which halves its cost, and recognisable in pg_stat_statements. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** The span's name of a statement that is not prepared. */
  readonly label?: string;
  /** Which value holds the ids for `inMonthsOfIds`. */
  readonly idsAt?: number;
  /** The driver's option for its own time limit on an answer; the pool's limit applies if it is left out. */
  readonly query_timeout?: number;
  /** It only reads, and its answer may be some seconds old: a replica may give it. */
  readonly mayBeStale?: boolean;
}

interface StatementOptions extends Pick<Statement, 'idsAt' | 'mayBeStale'> {
  /** A longer time limit for a slow statement. The server has a limit of its own, `statement_timeout`. */
  timeoutMs?: number;
}

export function statement(name: string, text: string, { timeoutMs, ...options }: StatementOptions = {}): Statement {
  return { name, text, ...options, ...(timeoutMs !== undefined && { query_timeout: timeoutMs }) };
}

/** Ends the comment of a `find` whose answer a replica may give, as `mayBeStale` says of a statement. */
export const MAY_BE_STALE = ', may be stale';

/** A statement's name for spans. For SQL by TypeORM it is the comment (`find({ comment })`), or else verb and table. */
export function labelOf({ name, text, label = name }: Statement): string {
  if (label !== '') return label;
  const [, comment, verb = ''] = /^(?:\/\* (\w+)[^*]* \*\/ )?(\w*)/.exec(text) ?? [];
  if (comment !== undefined) return comment;
  const table = /\b(?:FROM|INTO|UPDATE) "(\w+)"/.exec(text)?.[1] ?? '';
  return `${verb.toLowerCase()} ${table}`.trimEnd();
}
