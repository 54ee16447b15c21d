import type { QueryRunner } from 'typeorm';
import { firstIdOf, monthAfter } from '../month';

/** Until then the table takes every row, also if the next migrations run much later. */
const MONTHS = 4;

export interface RangedTable {
  table: string;
  /** Its ids decide the partition of a row. */
  key: string;
  /** Contains `key`. */
  primaryKey: string;
}

/**
 * First step of three: a check of the bound of the first partition. The second, a long one, validates it.
 * @param end of the first partition; that of a month by default, for ids of UUID version 7
 */
export async function boundFirstPartition(
  runner: QueryRunner,
  { table, key }: RangedTable,
  end = firstIdOf(monthAfter(new Date(), MONTHS)),
): Promise<void> {
  await runner.query(
    `ALTER TABLE ${table} ADD CONSTRAINT ${table}_in_first_partition CHECK (${key} < '${end}') NOT VALID`,
  );
}

export const validateFirstPartition = ({ table }: RangedTable): string =>
  `ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_in_first_partition`;

export const unboundFirstPartition = ({ table }: RangedTable): string =>
  `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_in_first_partition`;

const GRANTEE = `CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END`;

/** What belongs to a table and has to belong to the one that takes its name. A unique index without its key stays with each partition. */
const partsOf = (key: string): string => `
  indexes := ARRAY(
    SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attname = '${key}'
     WHERE indrelid = old AND NOT indisprimary AND (NOT indisunique OR attnum = ANY(indkey)));
  triggers := ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = old AND NOT tgisinternal AND tgparentid = 0);
  grants := ARRAY(
    SELECT format('GRANT %s ON %I TO %s', privilege_type, relname, ${GRANTEE})
      FROM pg_class, aclexplode(relacl) WHERE oid = old AND grantee <> relowner
    UNION ALL
    SELECT format('GRANT %s (%I) ON %I TO %s', privilege_type, attname, relname, ${GRANTEE})
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid, aclexplode(attacl) WHERE attrelid = old)`;

const DECLARED = 'indexes text[]; triggers text[]; grants text[]; part text';

const renameIndexes = (of: string, from: string, to: string): string => `
  FOR part IN SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = '${of}'::regclass LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', part, regexp_replace(part, '^${from}_', '${to}_'));
  END LOOP`;

const executeAll = (list: string): string => `FOREACH part IN ARRAY ${list} LOOP EXECUTE part; END LOOP`;

/**
 * Third step: the table becomes the first partition of a table of its name, with the same indexes, triggers and grants. No row is
 * read: the valid check says that all belong there.
 */
export async function partitionByRange(runner: QueryRunner, { table, key, primaryKey }: RangedTable): Promise<void> {
  const first = `${table}_first`;
  await runner.query(`
    DO $$ DECLARE old regclass := '${table}'; ${DECLARED};
    BEGIN
      ${partsOf(key)};
      FOR part IN SELECT tgname FROM pg_trigger WHERE tgrelid = old AND NOT tgisinternal LOOP
        EXECUTE format('DROP TRIGGER %I ON ${table}', part);
      END LOOP;
      ALTER TABLE ${table} RENAME TO ${first};
      ${renameIndexes(first, table, first)};
      CREATE TABLE ${table} (LIKE ${first} INCLUDING DEFAULTS INCLUDING CONSTRAINTS, PRIMARY KEY (${primaryKey}))
        PARTITION BY RANGE (${key});
      ALTER TABLE ${table} DROP CONSTRAINT ${table}_in_first_partition;
      ${executeAll('indexes')};
      EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (%L)', (
        SELECT substring(pg_get_constraintdef(oid) FROM '< ''?([0-9a-f-]+)') FROM pg_constraint
         WHERE conrelid = old AND conname = '${table}_in_first_partition'));
      ALTER TABLE ${first} DROP CONSTRAINT ${table}_in_first_partition;
      ${executeAll('triggers || grants')};
    END $$`);
}

/** The way back, while there is a first partition: it takes the rows of the later ones, and is the table again. */
export async function joinPartitions(runner: QueryRunner, { table, key }: RangedTable): Promise<void> {
  const first = `${table}_first`;
  await runner.query(`
    DO $$ DECLARE old regclass := '${table}'; ${DECLARED};
    BEGIN
      ${partsOf(key)};
      ALTER TABLE ${table} DETACH PARTITION ${first};
      INSERT INTO ${first} SELECT * FROM ${table};
      DROP TABLE ${table};
      ALTER TABLE ${first} RENAME TO ${table};
      ${renameIndexes(table, first, table)};
      ${executeAll('triggers || grants')};
    END $$`);
}
