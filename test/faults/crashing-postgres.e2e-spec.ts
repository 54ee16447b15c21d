import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BenchStack } from '../bench/bench-stack';
import { CommitRounds } from './commits/commit-rounds';
import { CrashingPostgres } from './commits/crashing-postgres';

/** Two crashes of each kind. `npm run test:commits` runs a thousand. */
const ROUNDS = 6;

describe('a stack whose PostgreSQL crashes while jobs are created', () => {
  it('has no job without its hold and its decision, and loses no accepted job', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'kinora-commits-'));
    const postgres = await CrashingPostgres.start(folder);
    const stack = await BenchStack.start({ DATABASE_URL: postgres.url, LOG_LEVEL: 'error' });
    try {
      const report = await new CommitRounds(stack, postgres).run(ROUNDS);
      expect(report.problems).toEqual([]);
      expect(report.rounds).toEqual({ backend: 2, server: 2, power: 2 });
    } finally {
      await stack.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 50 });
    }
  }, 300_000);
});
