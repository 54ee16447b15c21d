/** Columns of an entity, as a SELECT or a RETURNING names them. */
export class ColumnList<Row, Name extends keyof Row & string> {
  /** Never present at run time: what a row of these columns is. */
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

  /** For a statement that joins: each after the table's name, or its alias. */
  of(table: string): string {
    return this.names.map((name) => `${table}.${name}`).join(', ');
  }
}

/**
 * The columns that a hand-written statement reads, so that its row type follows from the entity: a column that the entity does not
 * have does not compile, and one that the schema does not have fails `npm run check -- entities`.
 */
export function columnsOf<Row, Name extends keyof Row & string>(
  _entity: new () => Row,
  ...names: Name[]
): ColumnList<Row, Name> {
  return new ColumnList(names);
}

/** The row that a list of columns reads. */
export type RowOf<List extends { row: unknown }> = List['row'];
