import type { ServerResponse } from 'node:http';
import { waitFor } from '@kinora/testing';
import type { Browser } from '../../test/browser.fixtures';
import { ConsoleTestBed, useConsole } from '../../test/console.fixtures';
import { answerJson } from '../../test/stub-gateway.fixtures';
import { FORWARDED_ROUTES } from './forwarding/forwarded-routes';

const JOB_ID = '018f0000-0000-7000-8000-000000000001';
const SIGNED = 'http://files.test/files/outputs/1.png?expires=1&signature=abcdef';
/** Of open streams: apps/console/src/customer/gateway/open-answers.ts. */
const CHECK_EVERY_MS = 2_000;
const image = (url: string | null) => ({ url, mime: 'image/png', width: 8, height: 8, seed: 1, bytes: 9 });
const job = (id = JOB_ID) => ({
  id,
  object: 'job',
  status: 'succeeded',
  input: { prompt: `a lighthouse ${SIGNED}` },
  output: { images: [image(SIGNED), image(null)] },
});

const bed = useConsole();
let key: ReturnType<ConsoleTestBed['keys']['create']>;
let browser: Browser;

beforeEach(async () => {
  bed.gateway.answer = (_request, response) => answerJson(response, 200, { object: 'account' });
  key = bed.keys.create();
  browser = await bed.signedIn(key);
  bed.gateway.seen.length = 0;
});

describe('a request of a page', () => {
  it.each(FORWARDED_ROUTES.map(({ method, path }) => [method, path] as const))(
    'reaches %s /v1%s with the key of the session',
    async (method, path) => {
      const real = path.replace('{id}', JOB_ID);
      const answer = await browser.send(`/admin/v1/customer${real}?limit=5`, { method });
      expect(answer.status).toBe(200);
      expect(bed.gateway.seen).toMatchObject([
        { method, url: `/v1${real}?limit=5`, headers: { authorization: `Bearer ${key.api_key}` } },
      ]);
    },
  );

  it.each([
    ['GET', '/ping'],
    ['GET', '/'],
    ['GET', ''],
    ['PUT', '/account'],
    ['POST', '/account'],
    ['GET', '/jobs/..'],
    ['GET', '/jobs/../account/keys'],
    ['GET', '/jobs/%2e%2e'],
    ['GET', `/jobs/${JOB_ID}%2fcontent`],
    ['GET', '/jobs/a/b'],
    ['GET', '/jobs//'],
    ['DELETE', '/jobs/a/content/'],
    ['GET', '/../openai/v1/models'],
  ])('goes nowhere as %s %s', async (method, path) => {
    const answer = await browser.send(`/admin/v1/customer${path}`, { method });
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ error: { type: 'not_found', code: 'not_found' } });
    expect(bed.gateway.seen).toEqual([]);
  });

  it('takes along only the headers that the API knows, and never the cookie', async () => {
    const headers = {
      'idempotency-key': 'k-1',
      prefer: 'wait=5',
      'x-service-quote': 'quo_1',
      'x-forwarded-host': 'evil.test',
      authorization: 'Bearer knr_live_of_another',
      'api-key': 'knr_live_of_another',
    };
    await browser.post('/admin/v1/customer/images/generations', { prompt: 'x' }, headers);
    const [seen] = bed.gateway.seen;
    expect(seen?.headers).toMatchObject({
      'idempotency-key': 'k-1',
      prefer: 'wait=5',
      'x-service-quote': 'quo_1',
      'content-type': 'application/json',
      authorization: `Bearer ${key.api_key}`,
    });
    for (const name of ['cookie', 'x-forwarded-host', 'api-key', 'x-csrf-token', 'origin'])
      expect(seen?.headers).not.toHaveProperty(name);
  });

  it('gets the status, the error and the headers of the gateway, and the id of its request', async () => {
    const error = { type: 'insufficient_balance', code: 'insufficient_balance', message: 'The balance is too low.' };
    bed.gateway.answer = (_request, response) => {
      response.setHeader('Retry-After', '7').setHeader('RateLimit-Remaining', '3').setHeader('Set-Cookie', 'a=b');
      answerJson(response, 402, { error });
    };
    const answer = await browser.post('/admin/v1/customer/images/generations', { prompt: 'x' });
    expect(answer.status).toBe(402);
    expect(answer.json()).toEqual({ error });
    expect(answer.headers).toMatchObject({
      'retry-after': '7',
      'ratelimit-remaining': '3',
      'x-request-id': 'req_of_gateway',
    });
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('is 503 with Retry-After while the gateway is away', async () => {
    bed.gateway.answer = (request) => void request.socket.destroy();
    const answer = await browser.get('/admin/v1/customer/account');
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(answer.json()).toMatchObject({ error: { type: 'capacity_error', code: 'capacity' } });
  });

  it('ends the session where the key is not valid any more', async () => {
    bed.gateway.answer = (_request, response) => answerJson(response, 401, { error: { code: 'invalid_api_key' } });
    const answer = await browser.get('/admin/v1/customer/account');
    expect(answer.status).toBe(401);
    expect(answer.json()).toMatchObject({ error: { code: 'not_signed_in' } });
    expect(browser.cookies.size).toBe(0);
    expect((await browser.get('/admin/v1/session')).json()).toMatchObject({ kind: null });
  });

  it('streams its body: the gateway reads the first bytes before the last ones are sent', async () => {
    const received: string[] = [];
    bed.gateway.answer = async (request, response) => {
      for await (const piece of request as AsyncIterable<Buffer>) received.push(piece.toString());
      answerJson(response, 200, { bytes: received.join('').length });
    };
    const { hostname, port } = new URL(bed.url);
    const { request } = await import('node:http');
    const outgoing = request({
      hostname,
      port,
      method: 'POST',
      path: '/admin/v1/customer/images/edits',
      headers: {
        cookie: `kinora-session=${browser.cookies.get('kinora-session')}`,
        'x-csrf-token': browser.csrfToken ?? '',
        'content-type': 'application/json',
      },
    });
    outgoing.write('{"image":"');
    await waitFor(() => received.join('') === '{"image":"');
    const answered = new Promise<number>((resolve) =>
      outgoing.once('response', (head) => resolve(head.statusCode ?? 0)),
    );
    outgoing.end(`${'x'.repeat(30_000_000)}"}`);
    expect(await answered).toBe(200);
    expect(received.join('').length).toBe(30_000_012);
  });
});

describe('an answer with jobs', () => {
  it.each([
    ['one job', () => job()],
    ['a page of jobs', () => ({ object: 'list', data: [job(), job('018f0000-0000-7000-8000-000000000002')] })],
    ['the feed', () => ({ object: 'list', data: [{ id: 'evt_1', data: { object: job() } }] })],
  ])('leads to the console instead of a signed link: %s', async (_name, body) => {
    bed.gateway.answer = (_request, response) => answerJson(response, 200, body());
    const { text } = await browser.get('/admin/v1/customer/jobs');
    expect(text).toContain(`"url":"/media/${JOB_ID}/0"`);
    expect(text).toContain('"url":null');
    expect(text).not.toContain(`"url":"${SIGNED}`);
    // What a client has written stays as it is.
    expect(text).toContain(`a lighthouse ${SIGNED}`);
  });
});

describe('a stream of events', () => {
  let stream: ServerResponse;
  const event = (type: string, data: unknown) => `id: 1\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

  beforeEach(() => {
    bed.gateway.answer = (_request, response) => {
      stream = response;
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
      response.write('retry: 2000\n\n');
    };
  });

  async function openStream(): Promise<{ text: () => string; isOver: () => boolean; leave: () => void }> {
    const path = `/admin/v1/customer/jobs/${JOB_ID}/events`;
    const { response, outgoing } = await browser.open(path, { headers: { 'last-event-id': '7' } });
    outgoing.on('error', () => undefined);
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    let text = '';
    let isOver = false;
    response.on('data', (piece: Buffer) => (text += piece.toString()));
    for (const end of ['end', 'aborted', 'close']) response.on(end, () => (isOver = true));
    response.on('error', () => undefined);
    return { text: () => text, isOver: () => isOver, leave: () => outgoing.destroy() };
  }

  it('arrives event by event, without signed links, also where a character is cut in two', async () => {
    const { text } = await openStream();
    await waitFor(() => text() === 'retry: 2000\n\n');
    expect(bed.gateway.seen[0]?.headers['last-event-id']).toBe('7');
    const bytes = Buffer.from(event('job.progress', { note: 'Leuchttürme' }) + ': \n\n');
    const cut = bytes.indexOf(0xc3) + 1;
    stream.write(bytes.subarray(0, cut));
    stream.write(bytes.subarray(cut));
    await waitFor(() => text().includes('Leuchttürme') && text().endsWith(': \n\n'));
    stream.end(event('job.succeeded', job()));
    await waitFor(() => text().includes(`/media/${JOB_ID}/0`));
    expect(text()).not.toContain('"url":"http://files.test');
  });

  it('is cut with the next check after its session has ended, in whichever process', async () => {
    const { isOver } = await openStream();
    let isClosed = false;
    stream.once('close', () => (isClosed = true));
    const second = await bed.startConsole();
    const there = bed.browser(second.url);
    there.cookies.set('kinora-session', browser.cookies.get('kinora-session') ?? '');
    there.csrfToken = browser.csrfToken;
    await there.delete('/admin/v1/session');
    await waitFor(() => {
      bed.clock.advance(CHECK_EVERY_MS);
      return isOver() && isClosed;
    });
  });

  it('ends at the gateway when the browser leaves', async () => {
    const { leave } = await openStream();
    let isClosed = false;
    stream.once('close', () => (isClosed = true));
    leave();
    await waitFor(() => isClosed);
  });

  it('holds the gateway back while the browser does not read', async () => {
    const { response } = await browser.open(`/admin/v1/customer/jobs/${JOB_ID}/events`);
    response.pause();
    const piece = event('job.progress', { note: 'x'.repeat(1_000_000) });
    let written = 0;
    // Far more than the buffers of all sockets together hold.
    while (written < 200 && stream.write(piece)) written++;
    await waitFor(() => stream.writableNeedDrain);
    expect(written).toBeLessThan(200);
    response.destroy();
  });
});
