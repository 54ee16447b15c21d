import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Job } from '@kinora/contracts/jobs/job';
import Stripe from 'stripe';
import { runLine } from '../../test/cli.fixtures';

describe('kinora listen', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  async function serve(
    answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
  ): Promise<string> {
    const server = createServer((request, response) => {
      void answer(request, response).then((value) => response.end(JSON.stringify(value)));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const job = (id: string, completed_at: string | null, created_at = '2026-11-20T09:00:00.000Z') =>
    ({ id, object: 'job', status: completed_at === null ? 'processing' : 'failed', created_at, completed_at }) as Job;

  it('forwards the events of jobs that end from now on, once, signed like webhooks', async () => {
    const at = (seconds: number) => `2026-11-20T09:00:0${seconds}.000Z`;
    let polls = 0;
    const api = await serve(async ({ url, headers }) => {
      expect(headers.authorization).toBe('Bearer knr_live_x');
      if (url === '/v1/ping') return { time: at(5) };
      polls += 1;
      const after = [job('a-1', at(1)), job('b-2', polls > 1 ? at(6) : null), job('c-3', polls > 2 ? at(8) : null)];
      return { object: 'list', data: after, has_more: false, next_cursor: null };
    });
    const events: { event: Stripe.Event; delivery: unknown }[] = [];
    const laptop = await serve(async (request) => {
      const signature = String(request.headers['x-service-signature']);
      const event = Stripe.webhooks.constructEvent(await text(request), signature, 'whsec_x');
      events.push({ event, delivery: request.headers['x-service-delivery'] });
    });
    const account = ['--base-url', `${api}/v1`, '--api-key', 'knr_live_x', '--secret', 'whsec_x'];
    const argv = ['listen', '--forward-to', laptop, ...account, '--count', '2', '--json'];
    const { exitCode, out, err } = await runLine(argv);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '{"forwarded":2}' });
    expect(events.map(({ event: { id, type } }) => ({ id, type }))).toEqual([
      { id: 'evt_b2', type: 'job.failed' },
      { id: 'evt_c3', type: 'job.failed' },
    ]);
    expect(new Set(events.map(({ delivery }) => delivery)).size).toBe(2);
    expect(err).toContain('job.failed  b-2  200');
  });

  it.each(['ftp://127.0.0.1/', 'file:///tmp/x', 'http://', 'mailto:a@b c', ''])(
    'refuses to forward to %j',
    async (target) => {
      const { exitCode, out } = await runLine(['listen', '--forward-to', target, '--json']);
      expect({ exitCode, envelope: JSON.parse(out) as unknown }).toMatchObject({
        exitCode: 1,
        envelope: { error: { code: 'invalid_body', param: '--forward-to' } },
      });
    },
  );

  it('reads an address without a scheme as http', async () => {
    const ended = { ...job('a-1', '2026-11-20T09:00:09.000Z') };
    const api = await serve(async ({ url }) =>
      url === '/v1/ping'
        ? { time: '2026-11-20T09:00:05.000Z' }
        : { object: 'list', data: [ended], has_more: false, next_cursor: null },
    );
    const paths: (string | undefined)[] = [];
    const laptop = await serve(async (request) => paths.push(request.url));
    const account = ['--base-url', `${api}/v1`, '--api-key', 'knr_live_x', '--secret', 'whsec_x', '--count', '1'];
    const target = `${laptop.replace('http://', '')}/hook?a=b`;
    expect((await runLine(['listen', '--forward-to', target, ...account])).exitCode).toBe(0);
    expect(paths).toEqual(['/hook?a=b']);
  });

  it('loses none of the jobs that begin and end between two polls, in any number and at any rate limit', async () => {
    const begin = Date.parse('2026-11-20T09:00:00.000Z');
    const at = (seconds: number) => new Date(begin + seconds * 1_000).toISOString();
    let polls = 0;
    const long = () => job('long', polls > 2 ? at(100) : null, at(-1_800));
    // Newest first: many jobs that have all ended by the second poll, and below them one that is still running.
    const burst = Array.from({ length: 250 }, (_, index) =>
      job(`storm-${249 - index}`, at(90), at(70 + (249 - index) / 100)),
    );
    let refusals = 0;
    const api = await serve(async ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://api');
      if (pathname === '/v1/ping') return { time: at(60) };
      if (pathname === '/v1/jobs/long') return long();
      if (searchParams.has('cursor') && refusals++ === 0) {
        response.writeHead(429, { 'Retry-After': '0' });
        return { error: {} };
      }
      const from = Number(searchParams.get('cursor') ?? 0);
      polls += from === 0 ? 1 : 0;
      const all = polls === 1 ? [long()] : [...burst, long()];
      const next = from + 100 < all.length ? `${from + 100}` : null;
      return { object: 'list', data: all.slice(from, from + 100), has_more: next !== null, next_cursor: next };
    });
    const received: string[] = [];
    const laptop = await serve(async (request) => {
      received.push((JSON.parse(await text(request)) as { data: { object: Job } }).data.object.id);
    });
    const account = ['--base-url', `${api}/v1`, '--api-key', 'knr_live_x', '--secret', 'whsec_x'];
    const { exitCode } = await runLine(['listen', '--forward-to', laptop, ...account, '--count', '251']);
    expect(exitCode).toBe(0);
    expect(received.toSorted()).toEqual([...burst.map(({ id }) => id), 'long'].toSorted());
    expect(refusals).toBeGreaterThan(0);
  });
});
