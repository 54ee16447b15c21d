import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, type IndexToBuild } from './build-index';
import type { Migration } from './data-source';

/** A migration of a spec. Its text is that of its step, because specs may use one name for different steps. */
function migrationOf(
  name: string,
  step: string,
  up: (runner: QueryRunner) => Promise<void>,
  transaction?: boolean,
): Migration {
  class SpecMigration implements MigrationInterface {
    readonly name = name;
    readonly up = up;

    async down(): Promise<void> {}
  }
  Object.defineProperty(SpecMigration, 'name', { value: name });
  Object.assign(SpecMigration.prototype, { transaction });
  return Object.assign(SpecMigration, { toString: () => step });
}

export function sqlMigration(name: string, sql: string): Migration {
  return migrationOf(name, sql, (runner) => runner.query(sql) as Promise<void>);
}

export function indexMigration(name: string, index: IndexToBuild): Migration {
  return migrationOf(name, JSON.stringify(index), (runner) => buildIndex(runner, index), false);
}

/** The tables that a context with events creates in one of its migrations. */
export const CREATE_OUTBOX_AND_INBOX = sqlMigration(
  'CreateOutboxAndInbox1795165200000',
  `CREATE TABLE outbox (
     id uuid PRIMARY KEY,
     subject text NOT NULL,
     payload json NOT NULL,
     traceparent text,
     created_at timestamptz NOT NULL DEFAULT clock_timestamp()
   );
   CREATE TABLE inbox (
     consumer text NOT NULL,
     message_id text NOT NULL,
     received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (consumer, message_id)
   )`,
);
