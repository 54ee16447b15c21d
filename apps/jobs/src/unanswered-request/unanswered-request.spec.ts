import { statement } from '@kinora/database';
import { type TestDatabase, createTestDatabase, waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import type { OpenRequest as Request } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { migrations } from '../migrations/migrations';
import { OpenRequest } from '../use-cases/open-request/open-request.use-case';
import { UnansweredRequestRepository } from './unanswered-request.repository';

const AGE = statement(
  'spec_age_requests',
  `UPDATE unanswered_request SET opened_at = opened_at - $1 * interval '1 second',
          released_at = released_at - $1 * interval '1 second', answered_at = answered_at - $1 * interval '1 second'`,
);
const AGE_HOLDERS = statement(
  'spec_age_holders',
  `UPDATE request_holder SET alive_until = alive_until - $1 * interval '1 second'`,
);
const CLEAR = statement('spec_clear_requests', 'DELETE FROM unanswered_request');
const CLEAR_HOLDERS = statement('spec_clear_holders', 'DELETE FROM request_holder');
const COUNT = statement('spec_count_requests', 'SELECT count(*)::int AS count FROM unanswered_request');
const ALIVE_UNTIL = statement('spec_holder_alive_until', 'SELECT alive_until FROM request_holder WHERE id = $1');
const COUNT_HOLDERS = statement('spec_count_holders', 'SELECT count(*)::int AS count FROM request_holder');

interface Opened {
  token: string;
  key: string;
}

describe('a request without an Idempotency-Key', () => {
  let database: TestDatabase;
  let requests: UnansweredRequestRepository;
  let opening: OpenRequest;
  let holderId: string;

  beforeAll(async () => {
    database = await createTestDatabase('jobs', migrations);
    requests = new UnansweredRequestRepository(database.database);
    opening = new OpenRequest(requests, database.database);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.database.execute(CLEAR);
    await database.database.execute(CLEAR_HOLDERS);
    holderId = uuidv7();
    await report({});
  });

  const open = async (changes: Partial<Request> = {}): Promise<Opened> => {
    const token = uuidv7();
    const { idempotency_key: key } = await opening.execute({
      api_key_id: 'key-1',
      route: 'POST /openai/v1/images/generations',
      body_sha256: 'one body',
      token,
      holder_id: holderId,
      is_retry: false,
      ...changes,
    });
    return { token, key };
  };
  type Outcome = 'answered' | 'unanswered' | 'failed';
  const report = async ({ answered = [], unanswered = [], failed = [] }: { [Name in Outcome]?: Opened[] }) => {
    await requests.report({
      holder_id: holderId,
      answered: answered.map(({ token }) => token),
      unanswered: unanswered.map(({ token }) => token),
      failed: failed.map(({ token }) => token),
    });
    // A lease of three seconds could expire within a test on a busy machine.
    await database.database.execute(AGE_HOLDERS, [-600]);
  };
  const age = async (seconds: number): Promise<void> => {
    await database.database.execute(AGE, [seconds]);
    await database.database.execute(AGE_HOLDERS, [seconds]);
  };

  it('gets a key that no client can send, and overlapping equal requests get different ones', async () => {
    const keys = (await Promise.all([open(), open(), open()])).map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^unkeyed [0-9a-f-]{36}$/);
  });

  it('that was not answered is joined by the next equal one, once', async () => {
    const first = await open();
    await report({ unanswered: [first] });
    const second = await open();
    expect(second.key).toBe(first.key);
    expect((await open()).key).not.toBe(first.key);
  });

  const repeated = { is_retry: true, joins_answered: true };

  it('that was answered is joined by none but a repeat whose client got no answer', async () => {
    const first = await open();
    await report({ answered: [first] });
    const [second, third] = [await open(), await open({ is_retry: true })];
    expect(new Set([first.key, second.key, third.key])).toHaveProperty('size', 2);
    expect(second.key).not.toBe(first.key);
    await report({ answered: [second, third] });
    expect((await open({ body_sha256: 'another body', ...repeated })).key).not.toBe(first.key);
    expect((await open(repeated)).key).toBe(second.key);
  });

  it('whose answer told that its job has failed is joined by no repeat', async () => {
    const first = await open();
    await report({ answered: [first], failed: [first] });
    expect((await open(repeated)).key).not.toBe(first.key);
  });

  it('that was answered is not waited for at another gateway', async () => {
    const first = await open();
    await report({ answered: [first] });
    const request = { api_key_id: 'key-1', route: 'POST /openai/v1/images/generations', body_sha256: 'one body' };
    const other = { ...request, token: uuidv7(), holder_id: uuidv7(), is_retry: false };
    expect(await requests.listOtherHolders(database.database, other)).toEqual([]);
  });

  it('that was answered is joined by a marked repeat each time its answer is lost again, for fifteen minutes', async () => {
    let sending = await open();
    const { key } = sending;
    for (let repeat = 0; repeat < 3; repeat += 1) {
      await report({ answered: [sending] });
      sending = await open(repeated);
      expect(sending.key).toBe(key);
    }
    await report({ answered: [sending] });
    const shared = await Promise.all(Array.from({ length: 20 }, () => open(repeated)));
    expect(new Set(shared.map((each) => each.key))).toEqual(new Set([key]));
    await report({ answered: shared });
    await age(16 * 60);
    expect((await open(repeated)).key).not.toBe(key);
  });

  it('whose answer was sent and not read is joined by any repeat, unless a repeat has joined it before', async () => {
    const first = await open();
    await report({ answered: [first] });
    await report({ unanswered: [first] });
    const second = await open();
    expect(second.key).toBe(first.key);
    await report({ answered: [first, second], unanswered: [first] });
    expect((await open()).key).not.toBe(first.key);
    await report({ answered: [second], unanswered: [second] });
    expect((await open()).key).toBe(first.key);
  });

  it('without an answer is joined by a marked repeat before one with an answer', async () => {
    const answered = await open();
    await report({ answered: [answered] });
    const held = await open();
    expect((await open(repeated)).key).toBe(held.key);
  });

  it('that was answered stays separate from the repeats of a dead gateway', async () => {
    const first = await open();
    await report({ answered: [first] });
    await age(60);
    expect((await open({ holder_id: uuidv7() })).key).not.toBe(first.key);
  });

  it.each([
    ['another API key', { api_key_id: 'key-2' }],
    ['another body', { body_sha256: 'another body' }],
    ['another route', { route: 'POST /openai/v1/images/edits' }],
  ])('is not joined by one with %s', async (_, changes) => {
    const first = await open();
    await report({ unanswered: [first] });
    expect((await open(changes)).key).not.toBe(first.key);
    expect((await open({ ...changes, is_retry: true })).key).not.toBe(first.key);
    expect((await open()).key).toBe(first.key);
  });

  it('is joined for fifteen minutes after its client was gone', async () => {
    const [first, second] = [await open(), await open({ body_sha256: 'another body' })];
    await report({ unanswered: [first, second] });
    await age(14 * 60);
    expect((await open()).key).toBe(first.key);
    await age(2 * 60);
    expect((await open({ body_sha256: 'another body' })).key).not.toBe(second.key);
  });

  const reportAs = (holder_id: string, unanswered: string[] = []) =>
    requests.report({ holder_id, answered: [], unanswered });
  const aliveUntil = async (holder: string): Promise<number> => {
    const rows = await database.database.query<{ alive_until: Date }>(ALIVE_UNTIL, [holder]);
    return rows[0]?.alive_until.getTime() ?? 0;
  };

  it('of a dead gateway is joined by a repeat at another one, which waits until the lease has expired', async () => {
    await reportAs(holderId);
    const first = await open();
    const survivor = uuidv7();
    await reportAs(survivor);
    const repeat = await open({ holder_id: survivor });
    expect(repeat.key).toBe(first.key);
    expect(Date.now()).toBeGreaterThanOrEqual(await aliveUntil(holderId));
  });

  it('shares its key with a repeat that is opened at the same moment, where both clients are known to be gone', async () => {
    for (let body = 0; body < 20; body += 1) {
      const sending = { body_sha256: `body ${body}`, is_retry: true };
      const [first, repeat] = await Promise.all([open(sending), open(sending)]);
      expect(repeat.key).toBe(first.key);
    }
  });

  it('of another gateway that renews its lease stays separate from an equal one that overlaps', async () => {
    const first = await open();
    const overlapping = open({ holder_id: uuidv7() });
    let isOpen = false;
    void overlapping.then(() => (isOpen = true));
    await waitFor(async () => {
      await report({});
      return isOpen;
    });
    expect((await overlapping).key).not.toBe(first.key);
  });

  it('whose client went to another gateway is joined there once the first gateway has reported it', async () => {
    const first = await open();
    const listed = jest.spyOn(requests, 'listOtherHolders');
    const repeat = open({ holder_id: uuidv7() });
    await waitFor(() => listed.mock.calls.length > 0);
    await reportAs(holderId, [first.token]);
    expect((await repeat).key).toBe(first.key);
  });

  it('is joined by a marked repeat while it is still held, and its own end then changes nothing', async () => {
    const first = await open();
    const repeat = await open({ is_retry: true });
    expect(repeat.key).toBe(first.key);
    await report({ unanswered: [first] });
    expect((await open()).key).not.toBe(first.key);
    await report({ answered: [first] });
    await report({ unanswered: [repeat] });
    expect((await open()).key).toBe(first.key);
  });

  it('is preferred by a marked repeat to one that is held', async () => {
    const [held, dropped] = [await open(), await open()];
    await report({ unanswered: [dropped] });
    expect((await open({ is_retry: true })).key).toBe(dropped.key);
    expect(held.key).not.toBe(dropped.key);
  });

  it('gets one joiner of many at once: unmarked repeats make their own, marked ones share', async () => {
    const [plain, marked] = [await open(), await open({ body_sha256: 'marked' })];
    await report({ unanswered: [plain, marked] });
    const plainKeys = (await Promise.all(Array.from({ length: 20 }, () => open()))).map(({ key }) => key);
    expect(plainKeys.filter((key) => key === plain.key)).toHaveLength(1);
    expect(new Set(plainKeys).size).toBe(20);
    const repeats = Array.from({ length: 20 }, () => open({ body_sha256: 'marked', is_retry: true }));
    expect(new Set((await Promise.all(repeats)).map(({ key }) => key))).toEqual(new Set([marked.key]));
  });

  it('of many that were dropped together is joined by one repeat each', async () => {
    const dropped = await Promise.all(Array.from({ length: 20 }, () => open()));
    await report({ unanswered: dropped });
    const repeats = await Promise.all(Array.from({ length: 20 }, (_, place) => open({ is_retry: place % 2 === 0 })));
    const keysOf = (opened: Opened[]): string[] => opened.map(({ key }) => key).sort();
    expect(new Set(keysOf(repeats)).size).toBe(20);
    expect(keysOf(repeats)).toEqual(keysOf(dropped));
  });

  it('is forgotten an hour after it was opened, with the lease of a dead gateway', async () => {
    await reportAs(holderId);
    await open();
    await age(59 * 60);
    expect(await requests.purge()).toBe(0);
    await age(2 * 60);
    expect(await requests.purge()).toBe(1);
    expect(await database.database.query(COUNT)).toEqual([{ count: 0 }]);
    expect(await database.database.query(COUNT_HOLDERS)).toEqual([{ count: 0 }]);
  });

  it('that was answered is forgotten once no repeat joins it any more', async () => {
    const [answered] = [await open(), await open()];
    await report({ answered: [answered] });
    await age(14 * 60);
    expect(await requests.purge()).toBe(0);
    await age(2 * 60);
    expect(await requests.purge()).toBe(1);
    expect(await database.database.query(COUNT)).toEqual([{ count: 1 }]);
  });
});
