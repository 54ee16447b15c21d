import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getMetadataArgsStorage } from 'typeorm';
import { ROOT } from '../../deploy/build/source-files';
import type { ContextSchema } from './context-entities';
import type { declaredStatements } from './declared-statements';

type NamedSql = Awaited<ReturnType<typeof declaredStatements>>[number];

const PAGE = 'docs/operate/shard.md';
/** A condition on the account, or rows that name it. */
const NAMES_ACCOUNT =
  /\baccount_id\s*(?:=|IN\b)|=\s*(?:\w+\.)?account_id\b|INSERT INTO \w+(?:\s+AS\s+\w+)?\s*\([^)]*\baccount_id\b/;

/** Where the page on shards lists other statements than those that would visit every shard, one sentence each context. */
export function shardProblems(schema: ContextSchema, statements: readonly NamedSql[]): string[] {
  const line = [`${schema.context}:`, ...acrossShards(shardedTables(schema), statements)].join(' ');
  const lines = readFileSync(path.join(ROOT, PAGE), 'utf8').split('\n');
  return line.endsWith(':') || lines.includes(line) ? [] : [`${PAGE} must have the line "${line}"`];
}

/** The names of the statements that read or write a sharded table and do not name an account. */
function acrossShards(tables: readonly string[], statements: readonly NamedSql[]): string[] {
  const sharded = new RegExp(`(?:\\b(?:FROM|JOIN|INTO|UPDATE)|,)\\s+(?:${tables.join('|')})\\b`, 'i');
  const across = statements.filter(({ text }) => sharded.test(text) && !NAMES_ACCOUNT.test(text));
  return tables.length === 0 ? [] : across.map(({ name }) => name).sort();
}

/** The tables with a column `account_id`. */
function shardedTables({ entities }: ContextSchema): string[] {
  const own = new Set<unknown>(entities);
  const { columns, tables } = getMetadataArgsStorage();
  const accounts = columns.filter(({ options, propertyName }) => (options.name ?? propertyName) === 'account_id');
  const sharded = new Set(accounts.map(({ target }) => target).filter((target) => own.has(target)));
  return tables.flatMap(({ target, name }) => (sharded.has(target) && name ? [name] : []));
}
