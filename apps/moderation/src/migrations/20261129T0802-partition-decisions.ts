import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES: readonly (readonly [name: string, definition: string])[] = [
  ['decision_by_job', '(job_id)'],
  ['decision_by_account', '(account_id, id)'],
  ['decision_blocked', `(id) WHERE verdict = 'blocked'`],
  ['decision_blocked_of_account', `(account_id, id) WHERE verdict = 'blocked'`],
];
const NAMES = ['decision_pkey', ...INDEXES.map(([name]) => name)];

const firstOf = (name: string): string => name.replace('decision', 'decision_first');

/** The end of the first partition is that of the valid check: PostgreSQL then attaches the table without reading it. */
const ATTACH_FIRST = `
  DO $$ BEGIN
    EXECUTE format('ALTER TABLE decision ATTACH PARTITION decision_first FOR VALUES FROM (MINVALUE) TO (%L)', (
      SELECT substring(pg_get_constraintdef(oid) FROM '[0-9a-f]{8}-[0-9a-f-]{27}') FROM pg_constraint
       WHERE conrelid = 'decision_first'::regclass AND conname = 'decision_in_first_partition'));
  END $$`;

/**
 * Why: a month of decisions is dropped as a whole, and indexes stay small. Strikes and appeals outlive their decision.
 * Lock: decision, strike and appeal, for milliseconds; no row is read. Indexes of the first partition become those of the table.
 * Way back: while there is a first partition, it takes the rows of the later ones, which locks the table while they are copied,
 * and is the table again. The foreign keys are not validated, because retention may have dropped decisions of strikes.
 */
export class PartitionDecisions1795939320000 implements MigrationInterface {
  name = 'PartitionDecisions1795939320000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE strike DROP CONSTRAINT strike_decision_id_fkey;
      ALTER TABLE appeal DROP CONSTRAINT appeal_decision_id_fkey;
      ALTER TABLE decision RENAME TO decision_first;
      ${NAMES.map((name) => `ALTER INDEX ${name} RENAME TO ${firstOf(name)};`).join('\n')}
      CREATE TABLE decision (LIKE decision_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (id)) PARTITION BY RANGE (id);
      ALTER TABLE decision DROP CONSTRAINT decision_in_first_partition;
      ${INDEXES.map(([name, definition]) => `CREATE INDEX ${name} ON decision ${definition};`).join('\n')}
      ${ATTACH_FIRST};
      ALTER TABLE decision_first DROP CONSTRAINT decision_in_first_partition;
      CREATE TABLE partition_lease (table_name text PRIMARY KEY, begun_at timestamptz NOT NULL)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE partition_lease;
      ALTER TABLE decision DETACH PARTITION decision_first;
      INSERT INTO decision_first SELECT * FROM decision;
      DROP TABLE decision;
      ALTER TABLE decision_first RENAME TO decision;
      ${NAMES.map((name) => `ALTER INDEX ${firstOf(name)} RENAME TO ${name};`).join('\n')}
      ALTER TABLE strike ADD CONSTRAINT strike_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES decision (id) NOT VALID;
      ALTER TABLE appeal ADD CONSTRAINT appeal_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES decision (id) NOT VALID`);
  }
}
