/** SQL under a name: prepared once a connection, which halves its cost, and recognisable in pg_stat_statements. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** As the driver calls the time after which it gives an answer up; without it, the one of all statements. */
  readonly query_timeout?: number;
}

/** A statement that may take longer than others says for how long; the server has a limit of its own, `statement_timeout`. */
export function statement(name: string, text: string, { timeoutMs }: { timeoutMs?: number } = {}): Statement {
  return { name, text, ...(timeoutMs !== undefined && { query_timeout: timeoutMs }) };
}

/** A statement by its name: one that TypeORM has written has it as a comment (`find({ comment })`), or is told by verb and table. */
export function labelOf({ name, text }: Statement): string {
  if (name !== '') return name;
  const [, comment, verb = ''] = /^(?:\/\* (\w+) \*\/ )?(\w*)/.exec(text) ?? [];
  if (comment !== undefined) return comment;
  const table = /\b(?:FROM|INTO|UPDATE) "(\w+)"/.exec(text)?.[1] ?? '';
  return `${verb.toLowerCase()} ${table}`.trimEnd();
}
