import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import type { AnswerOutcome, OpenUnkeyedRequest, RequestSending } from '@kinora/contracts/jobs/unkeyed-requests.rpc';
import { useDatabase } from '../../test/spec-database.fixtures';
import { UnkeyedRequests } from './use-cases/unkeyed-requests.use-case';
import { UnkeyedRequestRepository } from './unkeyed-request.repository';

const AGE = statement(
  'spec_age_requests',
  `UPDATE unkeyed_request SET changed_at = changed_at - $1 * interval '1 second'`,
);

type Opened = RequestSending & { idempotency_key: string };

describe('a request without an Idempotency-Key', () => {
  const database = useDatabase();
  let accountId: string;

  const repository = new UnkeyedRequestRepository(database);
  const requests = new UnkeyedRequests(repository);
  beforeEach(() => void (accountId = uuidv7()));

  const open = (changes: Partial<OpenUnkeyedRequest> = {}): Promise<Opened> =>
    requests.open({ account_id: accountId, request_hash: 'one', is_marked: false, ...changes });
  const MARKED = { is_marked: true };
  const close = (outcome: AnswerOutcome, { id, sending }: Opened) => requests.close({ id, sending, outcome });
  const ended = async (outcome: AnswerOutcome, changes: Partial<OpenUnkeyedRequest> = {}): Promise<Opened> => {
    const opened = await open(changes);
    await close(outcome, opened);
    return opened;
  };
  const age = (minutes: number) => database.execute(AGE, [60 * minutes]);
  const keysOf = (all: Opened[]): Set<string> => new Set(all.map(({ idempotency_key: key }) => key));
  const openMany = (count: number, changes: Partial<OpenUnkeyedRequest> = {}): Promise<Opened[]> =>
    Promise.all(Array.from({ length: count }, () => open(changes)));

  it('gets a key that no client can send, and equal ones at once get keys of their own', async () => {
    const keys = keysOf(await openMany(3));
    expect(keys.size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^unkeyed [0-9a-f-]{36}$/);
  });

  it.each(['open', 'answered', 'abandoned'] as const)('that is %s is joined by a marked repeat', async (state) => {
    const older = await ended('abandoned');
    await close('answered', await open());
    const newest = await open();
    if (state !== 'open') await close(state, newest);
    expect(newest.id).not.toBe(older.id);
    expect((await open(MARKED)).idempotency_key).toBe(newest.idempotency_key);
  });

  it('is joined by an unmarked repeat only after it was abandoned, and by one of them', async () => {
    const abandoned = await ended('abandoned');
    const joined = await open();
    expect(joined).toEqual({ ...abandoned, sending: 2 });
    expect((await open()).id).not.toBe(abandoned.id);
    await close('answered', joined);
    expect((await open()).id).not.toBe(abandoned.id);
  });

  it.each([false, true])(
    'that was abandoned is joined before an equal one that came after it (marked: %s)',
    async (is_marked) => {
      const [first, second] = [await open(), await open()];
      await close('abandoned', first);
      await close('answered', second);
      expect((await open({ is_marked })).id).toBe(first.id);
    },
  );

  it('of many that were abandoned together is joined by one repeat each', async () => {
    const abandoned = await openMany(20);
    await Promise.all(abandoned.map((each) => close('abandoned', each)));
    const repeats = await Promise.all(abandoned.map((_, place) => open({ is_marked: place % 2 === 0 })));
    expect(keysOf(repeats)).toEqual(keysOf(abandoned));
  });

  it('gets one of many unmarked repeats at once, and all of many marked ones', async () => {
    const { id } = await ended('abandoned');
    const plain = await openMany(20);
    expect(plain.filter((each) => each.id === id)).toHaveLength(1);
    expect(keysOf(plain).size).toBe(20);
    const { idempotency_key: marked } = await ended('abandoned', { request_hash: 'marked' });
    expect(keysOf(await openMany(20, { request_hash: 'marked', is_marked: true }))).toEqual(new Set([marked]));
  });

  it('is not ended by a sending that another one has joined', async () => {
    const first = await open();
    const repeat = await open(MARKED);
    for (const outcome of ['abandoned', 'failed', 'answered'] as const) await close(outcome, first);
    expect((await open()).id).not.toBe(first.id);
    await close('abandoned', repeat);
    expect((await open()).id).toBe(first.id);
  });

  it('whose answer told that its job has failed is joined by no repeat', async () => {
    const failed = await ended('failed');
    expect((await open(MARKED)).id).not.toBe(failed.id);
  });

  it('is joined for fifteen minutes after its connection closed, and then forgotten', async () => {
    await age(60);
    await repository.purge();
    const { id } = await open();
    await age(14);
    await close('abandoned', { id, sending: 1, idempotency_key: '' });
    await age(14);
    expect(await repository.purge()).toBe(0);
    expect(await open()).toMatchObject({ id, sending: 2 });
    await close('abandoned', { id, sending: 2, idempotency_key: '' });
    await age(16);
    for (const is_marked of [false, true]) expect((await open({ is_marked })).id).not.toBe(id);
    await age(16);
    expect(await repository.purge()).toBe(2);
  });

  it.each([
    ['another account', { account_id: uuidv7() }],
    ['another hash', { request_hash: 'another' }],
  ])('is not joined by one with %s', async (_, changes) => {
    const { id } = await ended('abandoned');
    for (const is_marked of [false, true]) expect((await open({ ...changes, is_marked })).id).not.toBe(id);
    expect((await open()).id).toBe(id);
  });
});
