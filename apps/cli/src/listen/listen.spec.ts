import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Job } from '@kinora/contracts/jobs/job';
import Stripe from 'stripe';
import { runCli } from '../run-cli';

describe('kinora listen', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  async function serve(answer: (request: IncomingMessage) => Promise<unknown>): Promise<string> {
    const server = createServer((request, response) => {
      void answer(request).then((value) => response.end(JSON.stringify(value)));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const job = (id: string, completed_at: string | null) =>
    ({ id, object: 'job', status: completed_at === null ? 'processing' : 'failed', completed_at }) as Job;

  it('forwards what ends from now on, once, signed as a webhook is', async () => {
    const at = (seconds: number) => `2026-11-20T09:00:0${seconds}.000Z`;
    let looks = 0;
    const api = await serve(async ({ url, headers }) => {
      expect(headers.authorization).toBe('Bearer knr_live_x');
      if (url === '/v1/ping') return { time: at(5) };
      looks += 1;
      const after = [job('a-1', at(1)), job('b-2', looks > 1 ? at(6) : null), job('c-3', looks > 2 ? at(8) : null)];
      return { object: 'list', data: after, has_more: false, next_cursor: null };
    });
    const events: { event: Stripe.Event; delivery: unknown }[] = [];
    const laptop = await serve(async (request) => {
      const signature = String(request.headers['x-service-signature']);
      const event = Stripe.webhooks.constructEvent(await text(request), signature, 'whsec_x');
      events.push({ event, delivery: request.headers['x-service-delivery'] });
    });
    const account = ['--base-url', `${api}/v1`, '--api-key', 'knr_live_x', '--secret', 'whsec_x'];
    const printed = { out: '', err: '' };
    const exitCode = await runCli(['listen', '--forward-to', laptop, ...account, '--count', '2', '--json'], {
      env: {},
      out: (line) => (printed.out += line),
      err: (line) => (printed.err += line),
    });
    expect({ exitCode, out: printed.out }).toEqual({ exitCode: 0, out: '{"forwarded":2}' });
    expect(events.map(({ event: { id, type } }) => ({ id, type }))).toEqual([
      { id: 'evt_b2', type: 'job.failed' },
      { id: 'evt_c3', type: 'job.failed' },
    ]);
    expect(new Set(events.map(({ delivery }) => delivery)).size).toBe(2);
    expect(printed.err).toContain('job.failed  b-2  200');
  }, 20_000);
});
