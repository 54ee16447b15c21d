import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request } from 'node:http';
import { type Socket, connect } from 'node:net';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY, JOB, UNKNOWN_KEY } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const testBed = useGateway();
const { contexts } = testBed;

describe('a request that its head refuses', () => {
  /** Sends a head that declares forty megabytes, and no body. */
  function announce(
    headers: Record<string, string>,
    port = testBed.gateway.port,
  ): Promise<{ status: number; invited: boolean; finish(): void }> {
    return new Promise((resolve, reject) => {
      let invited = false;
      const options = { host: '127.0.0.1', port, method: 'POST', path: '/v1/images/edits', agent: false };
      const outgoing = request({ ...options, headers: { 'Content-Length': '40000000', ...headers } });
      outgoing.once('continue', () => {
        invited = true;
        resolve({ status: 100, invited, finish: () => outgoing.destroy() });
      });
      outgoing.once('response', (response) => {
        outgoing.destroy();
        resolve({ status: response.statusCode ?? 0, invited, finish: () => undefined });
      });
      outgoing.once('error', reject);
      outgoing.flushHeaders();
    });
  }

  const json = { 'Content-Type': 'application/json' };
  const key = { Authorization: `Bearer ${API_KEY}` };
  const expectContinue = { Expect: '100-continue' };

  it('is answered before the body is read: a wrong key', async () => {
    expect((await announce(json)).status).toBe(401);
  });

  it('is answered before the body is read: an empty bucket', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: { ...ADMISSION.rate, allowed: false } }));
    expect((await announce({ ...json, ...key })).status).toBe(429);
  });

  it('is answered before the body is read: a wrong type, a length beyond the bound', async () => {
    expect((await announce({ ...key, 'Content-Type': 'text/plain' })).status).toBe(400);
    expect((await announce({ ...key, ...json, 'Content-Length': '43000001' })).status).toBe(400);
  });

  it('is answered before a client that expects 100-continue gets it', async () => {
    expect(await announce({ ...json, ...expectContinue })).toMatchObject({ status: 401, invited: false });
    const welcome = await announce({ ...json, ...key, ...expectContinue });
    expect(welcome).toMatchObject({ status: 100, invited: true });
    welcome.finish();
  });

  it('takes no room when the client disconnects while its key is checked', async () => {
    const small = await testBed.startGateway({ KINORA_BODIES_MAX_BYTES: '43000000' });
    const judge: (() => void)[] = [];
    contexts.on(billingRpc.admit, () => new Promise((resolve) => judge.push(() => resolve(ADMISSION))));
    const socket = connect(small.port, '127.0.0.1');
    const head = ['POST /v1/images/edits HTTP/1.1', 'Host: x', `Authorization: Bearer ${API_KEY}`];
    socket.write([...head, 'Content-Type: application/json', 'Content-Length: 43000000', '', ''].join('\r\n'));
    await waitFor(() => judge.length === 1);
    await new Promise((resolve) => socket.once('close', resolve).destroy());
    await waitFor(() => small.connections().then((count) => count === 0));
    judge[0]?.();
    contexts.on(billingRpc.admit, () => ADMISSION);
    const next = await announce({ ...json, ...key, ...expectContinue }, small.port);
    next.finish();
    expect(next.status).toBe(100);
  });

  it('takes no room when the client disconnects before an earlier response', async () => {
    const small = await testBed.startGateway({ KINORA_BODIES_MAX_BYTES: '43000000' });
    // Waits for longer than the test. The answer of another context would have a deadline.
    contexts.on(jobsRpc.get, () => JOB);
    contexts.on(jobsRpc.findReplay, () => ({ job: JOB }));
    const socket = connect(small.port, '127.0.0.1');
    const authorization = `Authorization: Bearer ${API_KEY}`;
    socket.write([`GET /v1/jobs/${JOB.id} HTTP/1.1`, 'Host: x', authorization, 'Prefer: wait=60', '', ''].join('\r\n'));
    await waitFor(() => small.waitingRequests() === 1);
    const edit = ['POST /v1/images/edits HTTP/1.1', 'Host: x', authorization, 'Content-Type: application/json'];
    const body = `{}${' '.repeat(1_000_000)}`;
    // The body of a request that is checked for a replay has arrived, and holds its room until the response.
    socket.write([...edit, 'Idempotency-Key: k', `Content-Length: ${body.length}`, '', body].join('\r\n'));
    await waitFor(() => contexts.of(jobsRpc.findReplay).length === 1);
    const beside = await announce({ ...json, ...key, 'Content-Length': '43000000' }, small.port);
    await new Promise((resolve) => socket.once('close', resolve).destroy());
    await waitFor(() => small.connections().then((count) => count === 0));
    const next = await announce({ ...json, ...key, ...expectContinue, 'Content-Length': '43000000' }, small.port);
    next.finish();
    expect([beside.status, next.status]).toEqual([503, 100]);
  });

  it('does not affect the next request on its connection', async () => {
    contexts.on(jobsRpc.cancel, () => JOB);
    const listeners: number[] = [];
    const count = (message: unknown): void => {
      listeners.push((message as { socket: Socket }).socket.listenerCount('close'));
    };
    subscribe('http.server.request.start', count);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const path = `/v1/jobs/${JOB.id}/cancel`;
    const options = { host: '127.0.0.1', port: testBed.gateway.port, method: 'POST', path, agent, headers: key };
    for (let sent = 0; sent < 3; sent++) {
      await new Promise((resolve, reject) => {
        const outgoing = request(options, (response) => response.resume().once('end', resolve));
        outgoing.once('error', reject).end('{}');
      });
    }
    agent.destroy();
    unsubscribe('http.server.request.start', count);
    expect(listeners).toEqual([listeners[0], listeners[0], listeners[0]]);
  });

  /** Sends 1 MB of a body of 43 MB, and keeps the connection open. */
  function begin(port: number): Socket {
    const lines = ['POST /v1/images/edits HTTP/1.1', 'Host: x', `Authorization: Bearer ${API_KEY}`];
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write([...lines, 'Content-Type: application/json', 'Content-Length: 43000000', '', ''].join('\r\n'));
    socket.write(Buffer.alloc(1_000_000, ' '));
    return socket;
  }

  /** Declares a body of 43 MB again and again until it gets the given response. */
  async function announcedIs(wanted: number, port: number): Promise<void> {
    await waitFor(async () => {
      const answer = await announce({ ...json, ...key, ...expectContinue, 'Content-Length': '43000000' }, port);
      answer.finish();
      return answer.status === wanted;
    });
  }

  it('takes no room: only received bytes do, until they are released', async () => {
    const small = await testBed.startGateway({ KINORA_BODIES_MAX_BYTES: '43000000' });
    const announced = await announce({ ...json, ...key, ...expectContinue }, small.port);
    await announcedIs(100, small.port);
    announced.finish();
    const begun = begin(small.port);
    await announcedIs(503, small.port);
    begun.destroy();
    await announcedIs(100, small.port);
  });

  it('finds room however many bodies another account sends', async () => {
    const half = await testBed.startGateway({ KINORA_BODIES_MAX_BYTES: '86000000' });
    const keySha256 = createHash('sha256').update(UNKNOWN_KEY).digest('hex');
    const otherAccount = { ...ADMISSION, account_id: JOB.id };
    contexts.on(billingRpc.admit, ({ key_sha256 }) => (key_sha256 === keySha256 ? otherAccount : ADMISSION));
    const begun = begin(half.port);
    await announcedIs(503, half.port);
    const headers = {
      ...json,
      ...expectContinue,
      'Content-Length': '43000000',
      Authorization: `Bearer ${UNKNOWN_KEY}`,
    };
    const beside = await announce(headers, half.port);
    begun.destroy();
    beside.finish();
    expect(beside.status).toBe(100);
  });
});

describe('a query of an operation whose errors include no 400', () => {
  it.each([
    ['GET', '/v1/ping'],
    ['GET', '/v1/models'],
    ['GET', '/v1/account'],
    ['GET', `/v1/jobs/${JOB.id}`],
    ['POST', `/v1/jobs/${JOB.id}/cancel`],
  ])('is ignored, whatever it holds: %s %s', async (method, path) => {
    contexts.on(billingRpc.getAccount, () => ({}) as never);
    contexts.on(jobsRpc.get, () => JOB);
    contexts.on(jobsRpc.cancel, () => JOB);
    expect((await testBed.client.send(method, `${path}?utm_source=a&x=%ff&x`)).status).toBe(200);
  });
});

describe('an answer', () => {
  const edit = ['POST /v1/images/edits HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
  const cancel = [`POST /v1/jobs/${JOB.id}/cancel HTTP/1.1`, 'Host: x', `Authorization: Bearer ${API_KEY}`];

  const anEnvelope = expect.objectContaining({ type: expect.any(String) as string }) as unknown;

  it.each([
    ['a declared length', 401, [...edit, 'Content-Length: 40000000', '', '{"image":']],
    ['chunks', 401, [...edit, 'Transfer-Encoding: chunked', '', '9', '{"image":', '']],
    ['no handler reads it', 200, ['GET /v1/ping HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', '', '1', 'a', '']],
    ['too long', 400, [...cancel, 'Transfer-Encoding: chunked', '', '401', 'x'.repeat(1025), '']],
  ])('closes the connection instead of waiting for the rest of a body: %s', async (_name, status, lines) => {
    const answer = await testBed.client.sendRaw(lines.join('\r\n'));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nconnection: close`, 'i'));
    expect(JSON.parse(body)).toEqual(expect.objectContaining(status === 200 ? { ok: true } : { error: anEnvelope }));
  });

  /** Sends the whole body regardless of the response, as many clients do, and only then reads. */
  async function sendWhole(head: string[], body: Buffer): Promise<{ answer: string; failure: string | undefined }> {
    const socket = connect(testBed.gateway.port, '127.0.0.1');
    let answer = '';
    let failure: string | undefined;
    socket.setEncoding('latin1').pause();
    socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.code));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write([...head, `Content-Length: ${body.length}`, '', ''].join('\r\n'));
    socket.write(body, () => socket.on('data', (chunk: string) => (answer += chunk)).resume());
    await closed;
    return { answer, failure };
  }

  it('reaches a client that continues to send, without a connection reset', async () => {
    const { answer, failure } = await sendWhole(edit, Buffer.alloc(20_000_000, '.'));
    expect(failure).toBeUndefined();
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it('is the last on its connection: bytes after the rest of the body are not a request', async () => {
    const body = '.'.repeat(1_000_000);
    const models = ['GET /v1/models HTTP/1.1', 'Host: x', `Authorization: Bearer ${API_KEY}`, '', ''].join('\r\n');
    const socket = connect({ port: testBed.gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    const answered = new Promise((resolve) => socket.once('end', resolve));
    socket.resume().write([...edit, `Content-Length: ${body.length}`, '', ''].join('\r\n'));
    await answered;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end(body + models);
    await closed;
    await testBed.client.send('GET', '/v1/jobs?limit=05');
    expect(contexts.of(billingRpc.admit)).toHaveLength(1);
  });
});
