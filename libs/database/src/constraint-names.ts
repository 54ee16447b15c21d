import { DefaultNamingStrategy, type Table } from 'typeorm';

/** Names keys as PostgreSQL does where a migration gives no name. An entity then states only names that differ. */
export class ConstraintNames extends DefaultNamingStrategy {
  override primaryKeyName(table: Table | string): string {
    return `${this.getTableName(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${this.getTableName(table)}_${columns.join('_')}_fkey`;
  }
}
