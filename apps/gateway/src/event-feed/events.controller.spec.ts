import {
  type EventPage,
  jobsSignals,
  type ListEventsRequest,
  type PlacedEvent,
} from '@kinora/contracts/jobs/jobs.events';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { waitFor } from '@kinora/testing';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { StreamClient } from '../../test/stream-client.fixtures';
import { acceptsEventStream } from './events.controller';

const { account_id } = ADMISSION;
const testBed = useGateway();
const { client, contexts } = testBed;
/** The feed behind the fake jobs service, which pages it like the real one. */
let feed: PlacedEvent[] = [];

beforeEach(() => {
  feed = [];
  contexts.on(jobsRpc.listEvents, page);
});

function page({ limit, after }: ListEventsRequest): EventPage {
  const start = after === undefined ? 0 : feed.findIndex(({ cursor }) => cursor === after) + 1;
  const events = feed.slice(start, start + limit);
  const end = events.at(-1)?.cursor ?? after ?? null;
  return { events, has_more: start + limit < feed.length, next_cursor: end };
}
function addEvent(): PlacedEvent {
  const cursor = `cursor-${feed.length + 1}`;
  const event = { id: `evt_${feed.length + 1}`, type: 'job.failed', created: 1, data: { object: JOB } } as const;
  feed.push({ cursor, event });
  return { cursor, event };
}
const signal = (): void =>
  testBed.bus.signal(jobsSignals.changed, { updated: [], ended: [JOB.id], ended_accounts: [account_id] });

const follow = (query = '', headers: Record<string, string> = {}): Promise<StreamClient> =>
  StreamClient.open(testBed.gateway.port, `/v1/events${query}`, { Accept: 'text/event-stream', ...headers });

describe('GET /events', () => {
  it('answers a page of the events as webhooks carry them', async () => {
    const [first, second] = [addEvent(), addEvent()];
    addEvent();
    const { status, json } = await client.send('GET', '/v1/events?limit=2&type=job.failed');
    expect([status, json()]).toEqual([
      200,
      { object: 'list', data: [first.event, second.event], has_more: true, next_cursor: second.cursor },
    ]);
    expect(contexts.of(jobsRpc.listEvents)).toEqual([{ account_id, limit: 2, type: 'job.failed' }]);
  });

  it('takes 20 events without a limit, and passes the cursor on', async () => {
    await client.send('GET', '/v1/events?after=evt_1');
    expect(contexts.of(jobsRpc.listEvents)).toEqual([{ account_id, limit: 20, after: 'evt_1' }]);
  });

  it.each(['limit=0', 'limit=101', 'type=job.progress', 'after=', 'cursor=x'])('refuses ?%s', async (query) => {
    const { status, error } = await client.send('GET', `/v1/events?${query}`);
    expect([status, error.code, error.param]).toEqual([400, 'invalid_query', query.split('=')[0]]);
  });
});

describe('a stream of GET /events', () => {
  it('sends the pages of the feed, and each new event when its job ends', async () => {
    for (let count = 0; count < 150; count += 1) addEvent();
    const stream = await follow();
    await waitFor(() => stream.ids.length === 150);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^req_/) as string,
    });
    const { cursor, event } = addEvent();
    signal();
    await waitFor(() => stream.ids.length === 151);
    expect(stream.text).toContain(`id: ${cursor}\nevent: job.failed\ndata: ${JSON.stringify(event)}\n\n`);
    expect(stream.ids).toEqual(feed.map((placed) => placed.cursor));
    stream.close();
  });

  it('continues after the last event that the client has received, and after the query without one', async () => {
    for (let count = 0; count < 4; count += 1) addEvent();
    const reconnected = await follow('?after=cursor-1', { 'Last-Event-ID': 'cursor-3' });
    await waitFor(() => reconnected.ids.length === 1);
    expect(reconnected.ids).toEqual(['cursor-4']);
    const opened = await follow('?after=cursor-1');
    await waitFor(() => opened.ids.length === 3);
    for (const stream of [reconnected, opened]) stream.close();
  });

  it('is refused like the list where the cursor is gone', async () => {
    contexts.on(jobsRpc.listEvents, fail('invalid_query', 'gone', { param: 'after' }));
    const { status, error } = await client.send('GET', '/v1/events?after=x', {
      headers: { Accept: 'text/event-stream' },
    });
    expect([status, error.param]).toEqual([400, 'after']);
  });

  it('stays open while jobs is away, and continues at the same place', async () => {
    const stream = await follow();
    let failures = 0;
    contexts.on(jobsRpc.listEvents, () => {
      failures += 1;
      throw new ApiError('capacity', 'away');
    });
    addEvent();
    signal();
    await waitFor(() => failures > 0);
    contexts.on(jobsRpc.listEvents, page);
    await waitFor(() => stream.ids.length === 1);
    stream.close();
  });

  it('shares its reads with the other streams of the account at the same place', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow()));
    await waitFor(() => contexts.of(jobsRpc.listEvents).length >= 20);
    contexts.requests = [];
    const before = contexts.of(jobsRpc.listEvents).length;
    addEvent();
    signal();
    await waitFor(() => streams.every((stream) => stream.ids.length === 1));
    expect(contexts.of(jobsRpc.listEvents).length - before).toBeLessThan(20);
    for (const stream of streams) stream.close();
  });
});

describe('the Accept header', () => {
  it.each([
    ['text/event-stream', true],
    ['application/json, Text/Event-Stream;q=0.5', true],
    ['*/*', false],
    ['text/*', false],
    ['text/event-stream;q=0', false],
    [undefined, false],
  ])('%s asks for a stream: %s', (accept, isStream) => {
    expect(acceptsEventStream({ headers: accept === undefined ? {} : { accept } })).toBe(isStream);
  });
});
