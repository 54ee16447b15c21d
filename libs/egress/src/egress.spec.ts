import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  HttpsReceiver,
  ManualClock,
  RECEIVER_AUTHORITY_FILE,
  TestNameServer,
  loopbackAddresses,
  waitFor,
} from '@kinora/testing';
import { EgressAllowList } from './allow-list';
import { Egress, type EgressFetch, type EgressRequest } from './egress';

const AUTHORITY = readFileSync(RECEIVER_AUTHORITY_FILE, 'utf8');
const DEADLINE_MS = 600_000;
const GET = { method: 'GET', headers: {}, timeoutMs: DEADLINE_MS, maxResponseBytes: 100 } as const;
/** Names may only use the ports of public https, so receivers with names need an address on which port 8443 is free. */
const [PUBLIC_LOOKALIKE, FORBIDDEN] = loopbackAddresses(2) as [string, string];
const PORT = 8443;

describe('egress', () => {
  let receiver: HttpsReceiver;
  let inside: HttpsReceiver;
  let names: TestNameServer;
  let clock: ManualClock;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start({ host: PUBLIC_LOOKALIKE, port: PORT });
    inside = await HttpsReceiver.start({ host: FORBIDDEN, port: PORT });
    names = await TestNameServer.start();
  });
  afterAll(() => Promise.all([receiver.close(), inside.close(), names.close()]));
  beforeEach(() => {
    receiver.requests.length = names.questions.length = 0;
    receiver.connections = inside.connections = 0;
    receiver.answer = (_request, response) => response.writeHead(200).end('fine');
    clock = new ManualClock();
    names.silent = false;
    names.names.clear();
    names.names.set('hook.example.com', [PUBLIC_LOOKALIKE]);
  });

  const newEgress = (allow = `${PUBLIC_LOOKALIKE}/32`): Egress =>
    new Egress({ allow: EgressAllowList.parse(allow), nameServers: [names.address], authority: AUTHORITY, clock });
  const send = (url: string, request: Partial<EgressRequest> = {}, allow?: string) =>
    newEgress(allow).send({ ...GET, url, ...request });

  it('sends what it is given, with the host name of the URL', async () => {
    const body = Buffer.from('{"a": "ü"}\n');
    const response = await send(`https://hook.example.com:${PORT}/in?x=%41#part`, {
      method: 'POST',
      headers: { 'x-mark': 'one' },
      body,
    });
    expect(response).toEqual({ status: 200, body: Buffer.from('fine'), bodyEnd: 'complete' });
    expect(receiver.requests).toMatchObject([
      { method: 'POST', path: '/in?x=%41', body, serverName: 'hook.example.com' },
    ]);
    expect(receiver.requests[0]?.headers).toMatchObject({
      host: `hook.example.com:${PORT}`,
      'x-mark': 'one',
      'content-length': String(body.length),
    });
  });

  it('resolves a name without its trailing dot', async () => {
    expect(await send(`https://hook.example.com.:${PORT}/`)).toMatchObject({ status: 200 });
    expect(receiver.requests).toMatchObject([{ serverName: 'hook.example.com' }]);
  });

  it('returns a redirect as an ordinary answer', async () => {
    receiver.answer = (_request, response) =>
      response.writeHead(307, { location: `https://${FORBIDDEN}:${PORT}/` }).end();
    expect(await send(`https://hook.example.com:${PORT}/`)).toMatchObject({ status: 307 });
    expect([receiver.requests.length, inside.connections]).toEqual([1, 0]);
  });

  describe('never connects', () => {
    afterEach(() => expect([receiver.connections, inside.connections]).toEqual([0, 0]));

    it.each([
      ['an address that is not public', `https://${FORBIDDEN}:${PORT}/`],
      ['another notation of it', `https://0x${Buffer.from(FORBIDDEN.split('.').map(Number)).toString('hex')}:${PORT}/`],
      ['a URL that the policy refuses', `http://hook.example.com:${PORT}/`],
    ])('to %s', async (_, url) => {
      await expect(send(url)).rejects.toMatchObject({ failure: 'blocked_address' });
      expect(names.questions).toEqual([]);
    });

    it.each([
      ['has one address that is not public', [PUBLIC_LOOKALIKE, FORBIDDEN]],
      ['has an IPv6 address that is not public', [PUBLIC_LOOKALIKE, '::1']],
      ['has a public IPv4 address embedded in IPv6', [PUBLIC_LOOKALIKE, '::ffff:808:808']],
      ['has the address of a cloud metadata service', ['169.254.169.254']],
    ])('to a name that %s', async (_, addresses) => {
      names.names.set('hook.example.com', addresses);
      await expect(send(`https://hook.example.com:${PORT}/`)).rejects.toMatchObject({ failure: 'blocked_address' });
    });

    it('when the name does not exist', async () => {
      await expect(send('https://gone.example.com/')).rejects.toMatchObject({ failure: 'dns_error' });
    });

    it('when no name server answers, and does not wait past the deadline', async () => {
      names.silent = true;
      // Without a deadline the resolver would give up some seconds later, with dns_error.
      const refused = expect(send('https://hook.example.com/')).rejects.toMatchObject({ failure: 'timeout' });
      await waitFor(() => names.questions.length > 0);
      clock.advance(DEADLINE_MS);
      await refused;
    });
  });

  it('connects to the address that was checked, although the name resolves to another one by then', async () => {
    const answers = [[PUBLIC_LOOKALIKE], [PUBLIC_LOOKALIKE]];
    names.names.set('hook.example.com', () => answers.shift() ?? [FORBIDDEN]);
    expect(await send(`https://hook.example.com:${PORT}/`)).toMatchObject({ status: 200 });
    expect(names.questions.toSorted()).toEqual(['A hook.example.com', 'AAAA hook.example.com']);
    expect(inside.connections).toBe(0);
  });

  it('resolves a name that an operator listed through the hosts file of the machine', async () => {
    const local = await HttpsReceiver.start();
    expect(await send(`https://localhost:${local.port}/`, {}, `localhost:${local.port}`)).toMatchObject({
      status: 200,
    });
    expect(local.requests).toMatchObject([{ serverName: 'localhost' }]);
    expect(names.questions).toEqual([]);
    await local.close();
  });

  it('trusts no certificate that no known authority signed', async () => {
    const allow = EgressAllowList.parse(`127.0.0.1:${receiver.port},${PUBLIC_LOOKALIKE}/32`);
    const egress = new Egress({ allow, nameServers: [names.address] });
    const sent = egress.send({ ...GET, url: `https://hook.example.com:${PORT}/` });
    await expect(sent).rejects.toMatchObject({ failure: 'tls_error' });
    expect(receiver.requests).toEqual([]);
  });

  it('resumes the TLS session of the same host, and of no other host at the same address', async () => {
    const egress = new Egress({
      allow: EgressAllowList.parse(`${PUBLIC_LOOKALIKE}/32`),
      nameServers: [names.address],
      authority: AUTHORITY,
    });
    names.names.set('other.example.com', [PUBLIC_LOOKALIKE]);
    for (const url of ['hook', 'hook', 'other'].map((name) => `https://${name}.example.com:${PORT}/`))
      await egress.send({ ...GET, url });
    expect(receiver.requests.map(({ isResumed }) => isResumed)).toEqual([false, true, false]);
    // Trust in the certificate of a name does not extend to the address behind it.
    await expect(egress.send({ ...GET, url: `https://${PUBLIC_LOOKALIKE}:${PORT}/` })).rejects.toMatchObject({
      failure: 'tls_error',
    });
  });

  it('trusts no certificate for another host', async () => {
    await expect(send(`https://${PUBLIC_LOOKALIKE}:${PORT}/`)).rejects.toMatchObject({ failure: 'tls_error' });
  });

  it('reads no more of an answer than the limit', async () => {
    receiver.answer = (_request, response) => response.writeHead(200).end('x'.repeat(1_000_000));
    const { status, body, bodyEnd } = await send(`https://hook.example.com:${PORT}/`);
    expect({ status, bytes: body.length, bodyEnd }).toEqual({ status: 200, bytes: 100, bodyEnd: 'too_long' });
  });

  it('reports an answer as too long when it announces too much and the peer hangs up', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': 99_999_999 }).flushHeaders();
      response.write('.', () => response.destroy());
    };
    const { status, bodyEnd } = await send(`https://hook.example.com:${PORT}/`);
    expect({ status, bodyEnd }).toEqual({ status: 200, bodyEnd: 'too_long' });
  });

  it.each([{ timeoutMs: 2_000 }, { bodyTimeoutMs: 50 }])('keeps the status if %j ends the body', async (limits) => {
    receiver.answer = (_request, response) => response.writeHead(202).write('.');
    const charge = (): void => clock.advance(limits.bodyTimeoutMs ?? limits.timeoutMs);
    const { status, bodyEnd } = await send(`https://hook.example.com:${PORT}/`, { ...limits, charge });
    expect({ status, bodyEnd }).toEqual({ status: 202, bodyEnd: 'timed_out' });
  });

  it('refuses an answer whose headers exceed the limit', async () => {
    receiver.answer = (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(17_000) }).end();
    await expect(send(`https://hook.example.com:${PORT}/`)).rejects.toMatchObject({ failure: 'invalid_response' });
  });

  it('calls an answer in another protocol invalid', async () => {
    receiver.answer = (_request, { socket }) => void socket?.end('SSH-2.0-Example\r\n');
    await expect(send(`https://hook.example.com:${PORT}/`)).rejects.toMatchObject({ failure: 'invalid_response' });
  });

  it('uses no proxy, even if the environment names one', async () => {
    const proxy = `http://${FORBIDDEN}:${PORT}`;
    const settings = { HTTPS_PROXY: proxy, https_proxy: proxy, ALL_PROXY: proxy, NODE_USE_ENV_PROXY: '1' };
    const before = { ...process.env };
    Object.assign(process.env, settings);
    try {
      expect(await send(`https://hook.example.com:${PORT}/`)).toMatchObject({ status: 200 });
    } finally {
      process.env = before;
    }
    expect([receiver.connections, inside.connections]).toEqual([1, 0]);
  });

  it('does not occupy the thread pool of the process while names resolve slowly', async () => {
    names.silent = true;
    const requested = Array.from({ length: 32 }, (_, index) =>
      send(`https://slow-${index}.example.com/`).catch((error: Error) => error.message),
    );
    const first = await Promise.race([Promise.any(requested), readFile(RECEIVER_AUTHORITY_FILE, 'utf8')]);
    expect(first).toBe(AUTHORITY);
    clock.advance(DEADLINE_MS);
    await Promise.all(requested);
  });

  describe('as a stream', () => {
    const download = { url: `https://hook.example.com:${PORT}/a`, timeoutMs: DEADLINE_MS, maxBytes: 100_000 };
    const fetch = (request: Partial<EgressFetch> = {}) => newEgress().fetch({ ...download, ...request });

    it('returns a file with its status and headers, never decompressed', async () => {
      const file = Buffer.alloc(99_999, 'abc');
      receiver.answer = (_request, response) => response.writeHead(206, { ETag: '"1"' }).end(file);
      const { status, headers, body } = await fetch({ headers: { Range: 'bytes=0-99998' } });
      expect({ status, etag: headers['etag'] }).toEqual({ status: 206, etag: '"1"' });
      expect((await buffer(body)).equals(file)).toBe(true);
      expect(receiver.requests[0]?.headers).toMatchObject({ range: 'bytes=0-99998', 'accept-encoding': 'identity' });
    });

    it('does not begin to read a file that announces too much', async () => {
      receiver.answer = (_request, response) => response.writeHead(200, { 'Content-Length': 100_001 }).write('.');
      await expect(fetch()).rejects.toMatchObject({ failure: 'too_large' });
    });

    it.each<[string, HttpsReceiver['answer']]>([
      ['too_large', (_request, response) => response.writeHead(200).end(Buffer.alloc(100_001))],
      ['connection_error', (_request, response) => response.writeHead(200).write('.', () => response.destroy())],
      ['timeout', (_request, response) => response.writeHead(200).write('.')],
    ])('ends in %s if a file does not end well', async (failure, answer) => {
      receiver.answer = answer;
      const { body } = await fetch();
      if (failure === 'timeout') clock.advance(DEADLINE_MS);
      await expect(buffer(body)).rejects.toMatchObject({ failure });
    });

    it('closes the connection when the body is destroyed while it waits for another chunk', async () => {
      let isOpen = true;
      receiver.answer = (_request, response) => {
        response.writeHead(200).write('.');
        response.on('close', () => (isOpen = false));
      };
      const { body } = await fetch();
      await once(body, 'data');
      body.destroy();
      await waitFor(() => !isOpen);
    });

    it.each([
      [['hook.example.com'], true],
      [['*.example.com'], true],
      [['other.net', 'hook.example.com'], true],
      [[], false],
      [['example.com'], false],
      [['*.hook.example.com'], false],
      [['*.ample.com'], false],
    ])('sends a request to a host only if it is among %j', async (hosts, wasRequested) => {
      const outcome = await fetch({ hosts }).then(
        ({ body }) => void body.destroy(),
        (error: Error) => error.message,
      );
      expect([outcome, receiver.connections]).toEqual(wasRequested ? [undefined, 1] : ['blocked_address', 0]);
    });
  });

  describe('with a host that sends nothing', () => {
    let mute: Server;
    let url: string;

    beforeAll(async () => {
      mute = createServer((socket) => socket.resume());
      await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
      url = `https://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
    });
    afterAll(() => mute.close());

    it('times out during the handshake', async () => {
      mute.once('connection', () => clock.advance(DEADLINE_MS));
      await expect(send(url, {}, new URL(url).host)).rejects.toMatchObject({ failure: 'timeout' });
    });

    it('reports a connection error when the port is closed', async () => {
      await new Promise((resolve) => mute.close(resolve));
      await expect(send(url, {}, new URL(url).host)).rejects.toMatchObject({ failure: 'connection_error' });
    });
  });
});
