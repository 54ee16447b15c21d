import type { Database } from '@kinora/database';
import { type TestDatabase, createTestDatabase } from '@kinora/testing';
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
