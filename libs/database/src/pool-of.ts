import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** The pool that TypeORM has opened. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
