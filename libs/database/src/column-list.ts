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
 * not compile. A column that the schema lacks fails `npm run check -- entities`.
 */
export function columnsOf<Row, Name extends keyof Row & string>(
  _entity: new () => Row,
  ...names: Name[]
): ColumnList<Row, Name> {
  return new ColumnList(names);
}

/** The row type of a list of columns. */
export type RowOf<List extends { row: unknown }> = List['row'];
