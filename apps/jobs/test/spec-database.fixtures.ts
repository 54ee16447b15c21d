import type { Database, GaugeSampler } from '@kinora/database';
import { type TestDatabase, createTestDatabase, createTestLog } from '@kinora/testing';
import { AttemptMonths, JobMonths } from '../src/job/job-months';
import { JobsConfig } from '../src/jobs.config';
import { migrations } from '../src/migrations/migrations';

/** The schema of jobs for the tests of the enclosing `describe`. Repositories can be made with it before it is there. */
export function useDatabase(): Database {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase('jobs', migrations);
  });
  afterAll(() => test.close());
  return inPlaceOf(() => test.database);
}

export function monthsOf(database: Database, jobRetentionDays = 0): [JobMonths, AttemptMonths] {
  const config = Object.assign(new JobsConfig(), { jobRetentionDays });
  const sampler = { add: () => undefined } as unknown as GaugeSampler;
  const { logger } = createTestLog();
  return [new JobMonths(config, database, sampler, logger), new AttemptMonths(config, database, sampler, logger)];
}

/** Stands for an object that exists only once the tests begin. What a spec replaces of it, such as a spy, is its own. */
export function inPlaceOf<Target extends object>(current: () => Target): Target {
  return new Proxy({} as Target, {
    get: (own, name) => {
      if (name in own) return Reflect.get(own, name) as unknown;
      const value = Reflect.get(current(), name) as unknown;
      return typeof value === 'function' ? (value.bind(current()) as unknown) : value;
    },
  });
}
