import { exitOnConfigError, readSecret } from '@kinora/service-kit';
import type { Migration } from './data-source';
import { migrate } from './migrate';

/** The hook of an upgrade has a short time limit, and leaves what may take hours to a Job beside it. */
const LEAVE_LONG_STEPS = '--leave-long-steps';

/** The complete `migrate` program of a context: migrates the schema at DATABASE_URL, prints what ran, exits. */
export function runMigrations(context: string, migrations: Migration[], env: NodeJS.ProcessEnv): void {
  const url = readUrl(env);
  if (!url) {
    process.stderr.write('DATABASE_URL: must be set (PostgreSQL, as the role of this context)\n');
    process.exit(1);
  }
  migrate(url, context, migrations, { leaveLongSteps: process.argv.includes(LEAVE_LONG_STEPS) }).then(
    (report) => process.stdout.write(`${JSON.stringify({ context, ...report })}\n`),
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
