// Proves that no crash of PostgreSQL leaves a job without its hold or decision: `npm run test:commits [-- ROUNDS]`.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BenchStack } from '../../bench/bench-stack';
import { CommitRounds, type RoundsReport } from './commit-rounds';
import { CrashingPostgres } from './crashing-postgres';

const DEFAULT_ROUNDS = 1_000;
const PRINT_EVERY = 50;

async function main(rounds: number): Promise<void> {
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('ROUNDS must be a whole number of at least 1.');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-commits-'));
  const postgres = await CrashingPostgres.start(folder);
  try {
    const stack = await BenchStack.start({ DATABASE_URL: postgres.url, LOG_LEVEL: 'error' });
    const commits = new CommitRounds(stack, postgres);
    try {
      await commits.run(rounds, print);
    } catch (error) {
      // Printed here, because an error of the stack's end would replace it.
      console.error(error);
      process.exitCode = 1;
    } finally {
      console.log(JSON.stringify(commits.report, null, 2));
      if (commits.report.problems.length > 0) process.exitCode = 1;
      await stack.end();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function print({ rounds, accepted, lostBytes }: RoundsReport): void {
  const done = rounds.backend + rounds.server + rounds.power;
  if (done % PRINT_EVERY === 0)
    console.log(`${done} crashes, ${accepted} accepted jobs, ${lostBytes} bytes of log lost`);
}

main(Number(process.argv[2] ?? DEFAULT_ROUNDS)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
