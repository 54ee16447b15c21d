import { waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import type { EventPage, ListEventsRequest } from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { toWebhookEvent } from '@kinora/webhooks';
import { v7 as uuidv7 } from 'uuid';
import { useJobs } from './jobs-service.fixtures';
import { EventFeedRepository } from '../src/reading/event-feed.repository';

const GROW_OLD = `UPDATE feed_event SET numbered_at = numbered_at - interval '8 days' WHERE account_id = $1 AND number <= $2`;
const FORGET_FEED = 'DELETE FROM feed_event WHERE account_id = $1';
const FORGET_HEAD = 'DELETE FROM event_feed WHERE account_id = $1';
const AWAIT_AGAIN =
  'INSERT INTO event_pending (account_id, job_id) SELECT account_id, id FROM job WHERE account_id = $1';

describe('the feed of an account', () => {
  const jobs = useJobs();

  const read = (account_id: string, request: Partial<ListEventsRequest> = {}): Promise<EventPage> =>
    jobs.bus.request(jobsRpc.listEvents, { account_id, limit: 100, ...request });
  const run = (accountId: string): Promise<Job> => jobs.run({ accountId });
  const idsOf = ({ events }: EventPage): string[] => events.map(({ event }) => event.data.object.id);
  const prune = (): Promise<number> => jobs.service.get(EventFeedRepository).prune(7);

  it('has the event of every ended job, with and without a webhook, oldest first', async () => {
    const accountId = uuidv7();
    expect(await read(accountId)).toEqual({ events: [], has_more: false, next_cursor: null });
    const first = await run(accountId);
    const second = await run(accountId);
    const page = await read(accountId);
    expect(idsOf(page)).toEqual([first.id, second.id]);
    expect(page.events[0]?.event).toMatchObject({
      id: `evt_${first.id.replaceAll('-', '')}`,
      type: 'job.succeeded',
      data: { object: { id: first.id, status: 'succeeded' } },
    });
    expect(page).toMatchObject({ has_more: false, next_cursor: page.events[1]?.cursor });
    expect(await read(accountId, { after: page.next_cursor ?? '' })).toMatchObject({ events: [], has_more: false });
  });

  it('has the same bodies as webhooks, byte for byte, whenever it is read', async () => {
    const accountId = uuidv7();
    await run(accountId);
    const [placed] = (await read(accountId)).events;
    const received = await waitFor(() => jobs.fakes.receivedEnds.find(({ account_id }) => account_id === accountId));
    expect(JSON.stringify(placed?.event)).toBe(JSON.stringify(toWebhookEvent(received.event_id, received.job)));
    expect(JSON.stringify((await read(accountId)).events[0]?.event)).toBe(JSON.stringify(placed?.event));
  });

  it('is read in pages, by type, and after the id of an event', async () => {
    const accountId = uuidv7();
    const ended = [await run(accountId), await run(accountId), await run(accountId)];
    const page = await read(accountId, { limit: 2 });
    expect([idsOf(page), page.has_more]).toEqual([ended.slice(0, 2).map(({ id }) => id), true]);
    const rest = await read(accountId, { limit: 2, after: page.next_cursor ?? '' });
    expect([idsOf(rest), rest.has_more]).toEqual([[ended[2]?.id], false]);
    const byId = await read(accountId, { after: page.events[0]?.event.id ?? '' });
    expect(idsOf(byId)).toEqual(ended.slice(1).map(({ id }) => id));
    expect(await read(accountId, { type: 'job.failed' })).toEqual({
      events: [],
      has_more: false,
      next_cursor: rest.next_cursor,
    });
  });

  it('refuses a cursor of another account, a malformed one, and one whose event is pruned', async () => {
    const [mine, other] = [uuidv7(), uuidv7()];
    await Promise.all([run(mine), run(other)]);
    const { next_cursor: foreign } = await read(other);
    const refused = { code: 'invalid_query', status: 400, param: 'after' };
    await expect(read(mine, { after: foreign ?? '' })).rejects.toMatchObject(refused);
    for (const after of ['nonsense', 'evt_1', `${foreign}=`, `evt_${'0'.repeat(32)}`])
      await expect(read(mine, { after })).rejects.toMatchObject(refused);
  });

  it('prunes events by age, and refuses exactly the cursors behind which an event is gone', async () => {
    const accountId = uuidv7();
    for (let count = 0; count < 4; count += 1) await run(accountId);
    const { events } = await read(accountId);
    const [first, second, third, last] = events.map(({ cursor }) => cursor);
    await jobs.execute(GROW_OLD, accountId, 2);
    expect(await prune()).toBe(2);
    await expect(read(accountId, { after: first ?? '' })).rejects.toMatchObject({ param: 'after' });
    expect((await read(accountId, { after: second ?? '' })).events).toHaveLength(2);
    expect((await read(accountId, { after: third ?? '' })).events).toHaveLength(1);
    expect((await read(accountId)).events).toHaveLength(2);
    // A reader that has seen the last pruned event has missed nothing, however long the account was idle.
    await jobs.execute(GROW_OLD, accountId, 4);
    expect(await prune()).toBe(2);
    for (const after of [last ?? '', events[3]?.event.id ?? ''])
      expect(await read(accountId, { after })).toEqual({ events: [], has_more: false, next_cursor: last });
    const next = await run(accountId);
    expect(idsOf(await read(accountId, { after: last ?? '' }))).toEqual([next.id]);
  });

  it('refuses cursors from before a restore where the events behind them may differ', async () => {
    const accountId = uuidv7();
    await run(accountId);
    await run(accountId);
    const { next_cursor: before } = await read(accountId);
    // The backup is older than these positions, so the same events are numbered again.
    await jobs.execute(FORGET_FEED, accountId);
    await jobs.execute(FORGET_HEAD, accountId);
    await jobs.execute(AWAIT_AGAIN, accountId);
    expect((await read(accountId)).events).toHaveLength(2);
    await expect(read(accountId, { after: before ?? '' })).rejects.toMatchObject({ param: 'after' });
  });

  it('carries what is left of a job whose outputs or content were deleted', async () => {
    const accountId = uuidv7();
    const [first, second] = [await run(accountId), await run(accountId)];
    await jobs.bus.request(jobsRpc.deleteOutputs, { account_id: accountId, job_id: first.id });
    await jobs.bus.request(jobsRpc.deleteContent, { account_id: accountId, job_id: second.id });
    const [one, other] = (await read(accountId)).events.map(({ event }) => event.data.object);
    expect(one).toMatchObject({ input: { prompt: 'a calm sea' }, output: { images: [{ url: null }] } });
    expect(other).toMatchObject({ input: { prompt: '' }, output: { images: [{ url: null }] } });
  });
});
