import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ROOT, exportsOf, sourceFiles } from '../../deploy/build/source-files';
import type { WrittenMigration } from './migration-problems';

const MIGRATION = /\/migrations\/\d{8}T\d{4}-[a-z0-9-]+\.ts$/;

/** All migrations, with the statements that they send to a recording query runner. */
export async function writtenMigrations(): Promise<WrittenMigration[]> {
  return await Promise.all(
    sourceFiles('apps', MIGRATION).map(async (file) => ({
      file,
      source: readFileSync(path.join(ROOT, file), 'utf8'),
      statements: await statementsOf(Object.values(await exportsOf(file)).filter(isMigration)),
    })),
  );
}

/** Migrations that no list names, so that they never run; one sentence each. */
export async function unregisteredMigrations(): Promise<string[]> {
  const problems = sourceFiles('apps', MIGRATION).map(async (file) => {
    const list = path.join(path.dirname(file), 'migrations.ts');
    const registered = ((await exportsOf(list)) as { migrations: Migration[] }).migrations;
    const written = Object.values(await exportsOf(file)).filter(isMigration);
    return unregistered(file, written, registered);
  });
  return (await Promise.all(problems)).flat();
}

export function unregistered(file: string, written: Migration[], registered: Migration[]): string[] {
  const list = path.join(path.dirname(file), 'migrations.ts');
  return written
    .filter((migration) => !registered.includes(migration))
    .map(({ name }) => `${file}: ${name} never runs: add it to the end of ${list}.`);
}

type Migration = new () => MigrationInterface;

function isMigration(exported: unknown): exported is Migration {
  return typeof exported === 'function';
}

/** The statements that they would send, in order. */
export async function statementsOf(migrations: Migration[]): Promise<string[]> {
  const statements: string[] = [];
  const query = (sql: string): Promise<unknown[]> => {
    statements.push(sql);
    return Promise.resolve([]);
  };
  for (const Migration of migrations) await new Migration().up({ query } as Pick<QueryRunner, 'query'> as QueryRunner);
  return statements;
}
