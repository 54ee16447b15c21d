import { exitOnConfigError, readSecret } from '@kinora/service-kit';
import type { Migration } from './data-source';
import { migrate } from './migrate';

/** The complete `migrate` program of a context: migrates the schema at DATABASE_URL, prints what ran, exits. */
export function runMigrations(context: string, migrations: Migration[], env: NodeJS.ProcessEnv): void {
  const url = readUrl(env);
  if (!url) {
    process.stderr.write('DATABASE_URL: must be set (PostgreSQL, as the role of this context)\n');
    process.exit(1);
  }
  migrate(url, context, migrations).then(
    (ran) => process.stdout.write(`${JSON.stringify({ context, ran })}\n`),
    (error: unknown) => {
      process.stderr.write(`${context}: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
}

function readUrl(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return readSecret('DATABASE_URL', env);
  } catch (error) {
    return exitOnConfigError(error);
  }
}
