import 'reflect-metadata';
import { indexMigration, sqlMigration } from './migrations.fixtures';
import { runMigrations } from './run-migrations';

export const CONTEXT = 'build-index-spec';

const CREATE = 'CREATE TABLE thing AS SELECT number FROM generate_series(1, 1000) AS number';
const INDEX = { name: 'thing_by_number', definition: 'ON thing (number)', unique: true };

export const migrations = [
  sqlMigration('CreateThing1795165200000', CREATE),
  indexMigration('IndexThing1795165200001', INDEX),
];

if (require.main === module) runMigrations(CONTEXT, migrations, { DATABASE_URL: process.argv[2] });
