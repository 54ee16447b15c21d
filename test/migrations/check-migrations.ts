// Fails when a migration would disturb a running service: `node -r ./test/typescript.cjs test/migrations/check-migrations.ts`
import { migrationProblems } from './migration-problems';
import { unregisteredMigrations, writtenMigrations } from './written-migrations';

async function main(): Promise<void> {
  const problems = [...(await unregisteredMigrations()), ...(await writtenMigrations()).flatMap(migrationProblems)];
  problems.forEach((problem) => console.log(problem));
  process.exitCode = problems.length === 0 ? 0 : 1;
}

void main();
