import { types } from 'pg';
import { type FindOperator, Raw } from 'typeorm';

/** Columns of an entity, as a SELECT or a RETURNING names them. */
export class ColumnList<Row, Name extends keyof Row & string> {
  /** Exists in the type only: the type of a row with these columns. */
  declare readonly row: Pick<Row, Name>;

  constructor(readonly names: readonly Name[]) {}

  /** For `find`. */
  get selected(): Record<Name, true> {
    return Object.fromEntries(this.names.map((name) => [name, true])) as Record<Name, true>;
  }

  /** For a statement that reads one table. */
  get sql(): string {
    return this.names.join(', ');
  }

  /** For a statement that joins: each prefixed with the table's name or alias. */
  of(table: string): string {
    return this.names.map((name) => `${table}.${name}`).join(', ');
  }
}

/**
 * The columns that a hand-written statement reads. The row type follows from the entity, so a column that the entity lacks does
 * not compile. A column that the schema lacks fails `npm run check:services`.
 */
export function columnsOf<Row, Name extends keyof Row & string>(
  _entity: new () => Row,
  ...names: Name[]
): ColumnList<Row, Name> {
  return new ColumnList(names);
}

export type RowOf<List extends { row: unknown }> = List['row'];

/**
 * Compares a column with a literal in the SQL text instead of a parameter. A generic plan cannot use a partial index (`WHERE
 * status = 'exhausted'`) for a parameter, and the few matching rows are found quickly by such an index only. Nor can it leave out the
 * partitions of other ids.
 * @param word from a fixed list, or an id whose form is checked; never another input of a client.
 */
export function literal<Word extends string>(word: Word): FindOperator<Word> {
  return Raw((column) => `${column} = '${checked(word)}'`) as FindOperator<Word>;
}

/** Ids from one on and before another, as literals. */
export function literalRange(from: string, before: string): FindOperator<string> {
  return Raw(
    (column) => `${column} >= '${checked(from)}' AND ${column} < '${checked(before)}'`,
  ) as FindOperator<string>;
}

function checked(word: string): string {
  if (!/^[\w-]+$/.test(word)) throw new Error(`${word} may not be used as a literal in SQL.`);
  return word;
}

/**
 * Money is `bigint` in PostgreSQL and a safe integer here. The driver returns a string by default, which turns `balance + 1`
 * into a concatenation. This parser is the only place that changes the default.
 */
types.setTypeParser(types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a safe integer`);
  return value;
});
