import type { ServerResponse } from 'node:http';
import { waitFor } from '@kinora/testing';
import type { Browser } from '../../../test/browser.fixtures';
import { useConsole } from '../../../test/console.fixtures';
import { answerJson } from '../../../test/stub-gateway.fixtures';

const STREAM = '/admin/v1/customer/jobs/018f0000-0000-7000-8000-000000000001/events';
const STREAMS_OF_SESSION = 16;
const STREAMS_OF_ACCOUNT = 64;
const REQUESTS_OF_SESSION = 16;
const REQUESTS_OF_ACCOUNT = 32;
const LONGEST_WAIT_MS = 5_000;

const bed = useConsole();
/** What the gateway has not answered yet. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  bed.gateway.answer = ({ url }, response) => {
    if (url === '/v1/jobs') return void held.push(response);
    if (!url?.endsWith('/events')) return answerJson(response, 200, { object: 'account' });
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('retry: 2000\n\n');
  };
});

/** Lets the time of those that wait for a permit pass, until the condition is met. */
const passTimeUntil = (isMet: () => boolean): Promise<true> =>
  waitFor(() => {
    bed.clock.advance(LONGEST_WAIT_MS);
    return isMet();
  });

async function lateAnswer<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let isThere = false;
  void answer.then(() => (isThere = true));
  await passTimeUntil(() => isThere);
  return answer;
}

/** Opens streams one after the other. */
async function openStreams(browser: Browser, count: number) {
  const streams: Awaited<ReturnType<Browser['open']>>[] = [];
  while (streams.length < count) {
    const stream = await lateAnswer(browser.open(STREAM));
    stream.outgoing.on('error', () => undefined);
    stream.response.on('error', () => undefined).resume();
    streams.push(stream);
  }
  return { statuses: streams.map(({ response }) => response.statusCode), close: () => streams.forEach(leave) };
}

const leave = ({ outgoing }: { outgoing: { destroy(): unknown } }): unknown => outgoing.destroy();
const times = <Value>(count: number, value: Value): Value[] => Array<Value>(count).fill(value);
const status = async (browser: Browser, path = '/admin/v1/customer/account') => (await browser.get(path)).status;

describe('the streams of one customer', () => {
  it('are bounded by session and by account, and leave its requests and other customers alone', async () => {
    const key = bed.keys.create();
    const sessions: Browser[] = [];
    while (sessions.length < 5) sessions.push(await bed.signedIn(key));
    const [first, ...others] = sessions as [Browser, ...Browser[]];
    const opened = await openStreams(first, STREAMS_OF_SESSION + 1);
    expect(opened.statuses).toEqual([...times(STREAMS_OF_SESSION, 200), 429]);
    const refused = await lateAnswer(first.get(STREAM));
    expect(refused.json()).toMatchObject({ error: { code: 'concurrency_limit' } });
    expect(refused.headers['retry-after']).toBe('5');
    const more = [];
    for (const [index, browser] of others.entries())
      more.push(await openStreams(browser, index < 3 ? STREAMS_OF_SESSION : 1));
    const statuses = [...opened.statuses, ...more.flatMap((each) => each.statuses)];
    expect(statuses.filter((each) => each === 200)).toHaveLength(STREAMS_OF_ACCOUNT);
    expect(statuses.at(-1)).toBe(429);
    expect(await status(first)).toBe(200);
    const other = await openStreams(await bed.signedIn(), 1);
    expect(other.statuses).toEqual([200]);
    // A stream that ends makes room for another one.
    opened.close();
    await waitFor(async () => {
      const again = await openStreams(first, 1);
      again.close();
      return again.statuses[0] === 200;
    });
    for (const { close } of [...more, other]) close();
  });
});

describe('the requests of one customer', () => {
  afterEach(() => {
    for (const response of held.splice(0)) answerJson(response, 200, { object: 'list', data: [] });
  });

  it('do not delay those of others, and are refused when they wait too long for their turn', async () => {
    const key = bed.keys.create();
    const [one, two, three] = [await bed.signedIn(key), await bed.signedIn(key), await bed.signedIn(key)];
    const other = await bed.signedIn();
    const requests = [one, two, three].flatMap((browser) =>
      Array.from({ length: 100 }, () => status(browser, '/admin/v1/customer/jobs')),
    );
    await waitFor(() => held.length >= REQUESTS_OF_ACCOUNT);
    expect(await status(other)).toBe(200);
    expect((await bed.signedIn()).csrfToken).not.toBeNull();
    const waiting = requests.length - REQUESTS_OF_ACCOUNT;
    let refused = 0;
    for (const answer of requests) void answer.then((code) => (refused += code === 503 ? 1 : 0));
    await passTimeUntil(() => refused === waiting);
    expect(held).toHaveLength(REQUESTS_OF_ACCOUNT);
    for (const response of held.splice(0)) answerJson(response, 200, { object: 'list', data: [] });
    const statuses = await Promise.all(requests);
    expect(statuses.filter((code) => code === 200)).toHaveLength(REQUESTS_OF_ACCOUNT);
  });

  it('are bounded for one session', async () => {
    const browser = await bed.signedIn();
    const requests = Array.from({ length: REQUESTS_OF_SESSION + 1 }, () => status(browser, '/admin/v1/customer/jobs'));
    await waitFor(() => held.length === REQUESTS_OF_SESSION);
    expect(await lateAnswer(Promise.race(requests))).toBe(503);
    expect(held).toHaveLength(REQUESTS_OF_SESSION);
    for (const response of held.splice(0)) answerJson(response, 200, { object: 'list', data: [] });
    await Promise.all(requests);
    expect(await status(browser)).toBe(200);
  });
});
