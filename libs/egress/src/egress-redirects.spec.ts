import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Clock } from '@kinora/service-kit/without-nest';
import {
  HttpsReceiver,
  ManualClock,
  RECEIVER_AUTHORITY_FILE,
  TestNameServer,
  loopbackAddresses,
} from '@kinora/testing';
import { EgressAllowList } from './allow-list';
import { Egress, type EgressRequest } from './egress';

/** Not reached on a busy machine: most tests are not about it. */
const GET = { method: 'GET', headers: {}, timeoutMs: 600_000, maxResponseBytes: 100 } as const;
const [PUBLIC_LOOKALIKE] = loopbackAddresses(1) as [string];
const PORT = 8443;

describe('egress with redirects permitted', () => {
  let receiver: HttpsReceiver;
  let names: TestNameServer;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start({ host: PUBLIC_LOOKALIKE, port: PORT });
    names = await TestNameServer.start();
  });
  afterAll(() => Promise.all([receiver.close(), names.close()]));

  const newEgress = (clock?: Clock): Egress =>
    new Egress({
      allow: EgressAllowList.parse(`${PUBLIC_LOOKALIKE}/32`),
      nameServers: [names.address],
      authority: readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8'),
      ...(clock && { clock }),
    });
  const send = (url: string, request: Partial<EgressRequest> = {}) => newEgress().send({ ...GET, url, ...request });

  /** Redirects /3 to /2, /2 to /1, and /1 to /0, alternating between two names. */
  beforeEach(() => {
    receiver.requests.length = receiver.connections = 0;
    names.names.set('hook.example.com', [PUBLIC_LOOKALIKE]);
    names.names.set('other.example.com', [PUBLIC_LOOKALIKE]);
    receiver.answer = ({ path, serverName }, response) => {
      const left = Number(path.slice(1));
      const host = serverName === 'hook.example.com' ? 'other.example.com' : 'hook.example.com';
      const location = left % 2 === 0 ? `/${left - 1}` : `https://${host}:${PORT}/${left - 1}`;
      if (left === 0) response.writeHead(200).end('fine');
      else response.writeHead(302, { location }).end('x'.repeat(1_000));
    };
  });

  it('follows so many, each to an address that was resolved for it', async () => {
    const url = `https://hook.example.com:${PORT}/3`;
    expect(await send(url, { maxRedirects: 3 })).toMatchObject({ status: 200, body: Buffer.from('fine') });
    expect(receiver.requests.map(({ serverName, path }) => [serverName, path])).toEqual([
      ['hook.example.com', '/3'],
      ['other.example.com', '/2'],
      ['other.example.com', '/1'],
      ['hook.example.com', '/0'],
    ]);
    expect(receiver.connections).toBe(4);
  });

  it('returns the next one as an answer, and one of a POST', async () => {
    const url = `https://hook.example.com:${PORT}/3`;
    expect(await send(url, { maxRedirects: 2 })).toMatchObject({ status: 302 });
    expect(await send(url, { maxRedirects: 3, method: 'POST' })).toMatchObject({ status: 302 });
    expect(receiver.requests).toHaveLength(4);
  });

  it('returns one without a valid target as an answer', async () => {
    receiver.answer = (_request, response) => response.writeHead(302, { location: 'https://' }).end();
    expect(await send(`https://hook.example.com:${PORT}/`, { maxRedirects: 3 })).toMatchObject({ status: 302 });
  });

  it('ends all of them at one deadline', async () => {
    const clock = new ManualClock();
    receiver.answer = ({ path }, response) => {
      if (path === '/') response.writeHead(302, { location: '/silent' }).end();
      else clock.advance(GET.timeoutMs);
    };
    const sent = newEgress(clock).send({ ...GET, url: `https://hook.example.com:${PORT}/`, maxRedirects: 3 });
    await expect(sent).rejects.toMatchObject({ failure: 'timeout' });
  });

  it('gives up a host that does not answer before one that is slow', async () => {
    const clock = new ManualClock();
    let slow: ServerResponse | undefined;
    const request = {
      url: `https://hook.example.com:${PORT}/`,
      timeoutMs: GET.timeoutMs,
      answerTimeoutMs: 1_000,
      maxBytes: 100,
      maxRedirects: 3,
    };
    receiver.answer = ({ path }, response) => {
      if (path === '/') response.writeHead(302, { location: '/silent' }).end();
      else clock.advance(request.answerTimeoutMs);
    };
    const given = newEgress(clock).fetch(request);
    await expect(given).rejects.toMatchObject({ failure: 'timeout' });
    receiver.answer = (_request, response) => {
      response.writeHead(200).write('be');
      slow = response;
    };
    const { body } = await newEgress(clock).fetch(request);
    clock.advance(request.answerTimeoutMs);
    slow?.end('gun');
    expect((await buffer(body)).toString()).toBe('begun');
  });
});
