import { type Socket, connect } from 'node:net';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { API_KEY, JOB } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { expectError, SERVED_APIS } from '../../test/http-client.fixtures';

const testBed = useGateway();
const { client, contexts } = testBed;

describe('an unknown endpoint', () => {
  it.each([
    ['GET', '/v1'],
    ['GET', '/v1/Models'],
    ['GET', '/v2/models'],
    ['GET', '/v1/%zz'],
    ['GET', '/v1/jobs/%ff'],
    ['GET', '/v1/jobs/%E0%A4%A/cancel'],
    ['TRACE', '/v1/models'],
  ])('is 404, never 401 or 405: %s %s', async (method, path) => {
    const { status, error } = await client.sendBare(method, path);
    expect([status, error.type, error.code]).toEqual([404, 'not_found', 'not_found']);
  });

  it.each([
    ['GET', ''],
    ['GET', '/%zz'],
    ['GET', '/models/a/b'],
    ['POST', '/chat/completions'],
    ['PROPFIND', '/models'],
  ])('is 404 at /openai/v1 too, in the form of OpenAI: %s %s', async (method, path) => {
    const refused = await client.sendBare(method, `/openai/v1${path}`);
    expectError({ path: '/openai/v1' }, refused, { status: 404, code: 'not_found' });
  });

  it('is 404 for any content type of the body', async () => {
    const headers = { 'Content-Type': 'text/plain', Authorization: `Bearer ${API_KEY}` };
    for (const { path } of SERVED_APIS)
      expect((await client.sendBare('POST', `${path}/nothing`, headers, 'x'.repeat(5000))).status).toBe(404);
  });

  it('answers 404 to a program at /, and redirects a browser to the reference', async () => {
    const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
    for (const path of ['/', '/?from=mail']) {
      const { status, headers } = await client.sendBare('GET', path, browser);
      expect([status, headers.location, headers.vary]).toEqual([302, './docs', 'Accept']);
      expect(headers['x-request-id']).toMatch(/^req_/);
    }
    for (const accept of ['*/*', 'application/json']) {
      expect((await client.sendBare('GET', '/', { Accept: accept })).status).toBe(404);
    }
    for (const [method, path] of [
      ['GET', '/%zz'],
      ['GET', '/v1'],
      ['HEAD', '/'],
      ['POST', '/'],
    ] as const) {
      expect([method, path, (await client.sendBare(method, path, browser)).status]).toEqual([method, path, 404]);
    }
  });

  it('is not reached through another method', async () => {
    const headers = { 'X-HTTP-Method-Override': 'GET', 'X-Method-Override': 'GET' };
    for (const { path } of SERVED_APIS)
      expect((await client.send('POST', `${path}/models`, { headers })).status).toBe(404);
  });
});

describe('the connections of one address', () => {
  const ping = 'GET /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n';

  /** A client that keeps its connection open, and the data that it has received. */
  function open(port: number): { socket: Socket; answer: () => string; isClosed: () => boolean } {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let answer = '';
    let isClosed = false;
    socket.on('error', () => undefined).once('close', () => (isClosed = true));
    socket.on('data', (text: string) => (answer += text)).write(ping);
    return { socket, answer: () => answer, isClosed: () => isClosed };
  }

  it('are limited: one more is answered 429 and closed, until another one closes', async () => {
    const { port, client: next } = await testBed.startGateway({ KINORA_ADDRESS_CONNECTIONS_MAX: '2' });
    const kept = [open(port), open(port)] as const;
    await waitFor(() => kept.every(({ answer }) => answer().startsWith('HTTP/1.1 200 ')));
    const refused = open(port);
    await waitFor(refused.isClosed);
    expect(refused.answer()).toMatch(
      /^HTTP\/1.1 429 Too Many Requests\r\n[^]*\r\nRetry-After: 1\r\n[^]*"code":"rate_limited"/,
    );
    expect(refused.answer().match(/HTTP\/1/g)).toHaveLength(1);
    expect(kept.map(({ isClosed }) => isClosed())).toEqual([false, false]);
    kept[0].socket.destroy();
    await waitFor(async () => (await next.sendBare('GET', '/v1/ping').catch(() => null))?.status === 200);
    kept[1].socket.destroy();
  });

  it('are closed without a response beyond twice the limit', async () => {
    const gateway = await testBed.startGateway({ KINORA_ADDRESS_CONNECTIONS_MAX: '1' });
    const clients = Array.from({ length: 20 }, () => open(gateway.port));
    await waitFor(() => clients.filter(({ isClosed }) => !isClosed()).length === 1);
    const isRefused = clients.filter(({ answer }) => answer().startsWith('HTTP/1.1 429 ')).length;
    expect(isRefused).toBeLessThan(19);
    for (const { socket } of clients) socket.destroy();
    await waitFor(async () => (await gateway.connections()) === 0);
  });

  it('have no limit for a trusted proxy', async () => {
    const settings = { KINORA_ADDRESS_CONNECTIONS_MAX: '1', KINORA_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' };
    const { port } = await testBed.startGateway(settings);
    const clients = Array.from({ length: 5 }, () => open(port));
    await waitFor(() => clients.every(({ answer }) => answer().startsWith('HTTP/1.1 200 ')));
    for (const { socket } of clients) socket.destroy();
  });
});

describe('a gateway that is stopping', () => {
  it('completes running requests, closes idle connections, and accepts no new ones', async () => {
    const gateway = await testBed.startGateway({});
    let finish: (() => void) | undefined;
    contexts.on(jobsRpc.cancel, () => new Promise((resolve) => (finish = () => resolve(JOB))));
    const idle = connect(gateway.port, '127.0.0.1');
    const closeHeader = new Promise((resolve) => idle.once('close', resolve).resume());
    idle.write('GET /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));
    const begun = gateway.client.send('POST', `/v1/jobs/${JOB.id}/cancel`);
    await waitFor(() => finish !== undefined);
    const stopped = gateway.close();
    await closeHeader;
    await expect(gateway.client.sendBare('GET', '/v1/ping')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    finish?.();
    expect((await begun).status).toBe(200);
    await stopped;
  });

  it('closes each connection with its next response, while it still serves', async () => {
    const gateway = await testBed.startGateway({});
    const ping = async (): Promise<unknown[]> => {
      const { status, headers } = await gateway.client.sendBare('GET', '/v1/ping', { Connection: 'keep-alive' });
      return [status, headers.connection];
    };
    expect(await ping()).toEqual([200, 'keep-alive']);
    gateway.markStopping();
    expect(await ping()).toEqual([200, 'close']);
  });

  it('does not wait for a connection without a request', async () => {
    const gateway = await testBed.startGateway({});
    const silent = connect(gateway.port, '127.0.0.1');
    const closeHeader = new Promise((resolve) => silent.once('close', resolve).resume());
    await waitFor(async () => (await gateway.connections()) === 1);
    await gateway.close();
    await closeHeader;
  });
});
