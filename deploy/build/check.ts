/**
 * Checks what only our own code knows, each check by its name, and whether generated files are current:
 *   node -r ./test/typescript.cjs deploy/build/check.ts handlers openapi
 * One process runs several of them, because loading the sources takes most of their time.
 */
// First: it records the statements that all later imports declare.
import '../../test/entities/declared-statements';
import { moduleProblems } from '../../test/architecture/modules';
import { contractProblems } from '../../test/contract/completeness';
import { releaseIncompatibilities } from '../../test/contract/compatibility';
import { entityProblems } from '../../test/entities/entity-problems';
import { migrationProblems } from '../../test/migrations/migration-problems';
import { plantedProblems } from '../../test/mutations/planted-bug';
import { unregisteredMigrations, writtenMigrations } from '../../test/migrations/written-migrations';
import { declaredContracts } from './generate/contracts/declared-contracts';
import { handlers } from './generate/contracts/handlers';
import { GENERATORS, staleFiles } from './generate/generators';

const CHECKS: Record<string, () => Promise<string[]>> = {
  handlers: async () => [
    ...contractProblems(await declaredContracts(), await handlers()),
    ...releaseIncompatibilities(),
  ],
  modules: moduleProblems,
  migrations: async () => [
    ...(await unregisteredMigrations()),
    ...(await writtenMigrations()).flatMap(migrationProblems),
  ],
  entities: entityProblems,
  planted: plantedProblems,
};

async function main(): Promise<void> {
  for (const name of process.argv.slice(2)) {
    for (const problem of await problemsOf(name)) {
      console.log(`${name}: ${problem}`);
      process.exitCode = 1;
    }
  }
}

async function problemsOf(name: string): Promise<string[]> {
  const generate = GENERATORS[name];
  const check = CHECKS[name];
  if (check) return await check();
  if (!generate) throw new Error(`${name} is no check: ${Object.keys({ ...CHECKS, ...GENERATORS }).join(', ')}.`);
  return (await staleFiles(await generate())).map(
    (file) => `${file} is not current: run npm run generate, and review the changes.`,
  );
}

void main();
