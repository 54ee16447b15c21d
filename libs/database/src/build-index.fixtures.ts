import 'reflect-metadata';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';
import type { Migration } from './data-source';
import { runMigrations } from './run-migrations';

export const CONTEXT = 'build-index-spec';

class CreateThing1795165200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE thing AS SELECT number FROM generate_series(1, 1000) AS number');
  }

  async down(): Promise<void> {}
}

class IndexThing1795165200001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, { name: 'thing_by_number', definition: 'ON thing (number)', unique: true });
  }

  async down(): Promise<void> {}
}

export const migrations: Migration[] = [CreateThing1795165200000, IndexThing1795165200001];

if (require.main === module) runMigrations(CONTEXT, migrations, { DATABASE_URL: process.argv[2] });
