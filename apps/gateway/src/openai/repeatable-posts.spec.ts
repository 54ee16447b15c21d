import { type Socket, connect } from 'node:net';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { unansweredRequestsRpc } from '@kinora/contracts/jobs/unanswered-requests.rpc';
import { waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY, JOB, fail } from '../fixtures/contexts.fixtures';
import { GatewayTestBed } from '../fixtures/gateway.fixtures';
import { RESET_WATCHED_MS } from './answer-reset';
import type { TestResponse } from '../fixtures/http-client.fixtures';

const GENERATIONS = '/openai/v1/images/generations';
const MARKED = { 'X-Stainless-Retry-Count': '1' };
const BODY = { prompt: 'a fox', response_format: 'url' };
const ENDED: Job = {
  ...JOB,
  status: 'succeeded',
  completed_at: '2026-11-20T09:00:03.000Z',
  output: { images: [{ url: 'http://gateway.test/files/one', mime: 'image/png' }] },
} as Job;

const testBed = new GatewayTestBed();
const { contexts } = testBed;
let sockets: Socket[] = [];

beforeAll(() => testBed.start());
afterAll(() => testBed.close());
beforeEach(() => {
  contexts.reset();
  contexts.on(catalogRpc.listModels, () => ({ object: 'list' as const, data: [] }));
  contexts.on(catalogRpc.listAliases, () => ({ data: [] }));
  contexts.on(jobsRpc.findReplay, () => ({ job: null }));
  contexts.on(jobsRpc.create, () => ({ job: ENDED, replayed: false }));
  contexts.on(jobsRpc.get, () => ENDED);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});

const post = (headers = {}): Promise<TestResponse> => testBed.client.send('POST', GENERATIONS, { json: BODY, headers });
const opened = () => contexts.of(unansweredRequestsRpc.open);
const hasReported = (outcome: 'answered' | 'unanswered', index = 0): boolean => {
  const token = opened()[index]?.token ?? '';
  return contexts.of(unansweredRequestsRpc.report).some((report) => report[outcome].includes(token));
};

describe('a marked request', () => {
  it('whose first sending was refused unread is a first sending itself, once for each refusal', async () => {
    const rate = { allowed: false, limit: 60, remaining: 0, retry_after_seconds: 1 };
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate }));
    expect((await post()).status).toBe(429);
    // The refusal of a repeat is no second one.
    expect((await post(MARKED)).status).toBe(429);
    contexts.on(billingRpc.admit, () => ADMISSION);
    await post(MARKED);
    await post(MARKED);
    expect(opened()).toMatchObject([
      { is_retry: false, joins_answered: false },
      { is_retry: true, joins_answered: true },
    ]);
  });

  it('whose first sending was refused without a look at its key is a repeat', async () => {
    contexts.on(billingRpc.admit, fail('capacity', 'away'));
    expect((await post()).status).toBe(503);
    contexts.on(billingRpc.admit, () => ADMISSION);
    await post(MARKED);
    expect(opened()).toMatchObject([{ is_retry: true, joins_answered: true }]);
  });

  it('whose first sending was refused by the services is a repeat', async () => {
    contexts.on(jobsRpc.create, fail('concurrency_limit', 'full', { retry_after_seconds: 1 }));
    expect((await post()).status).toBe(429);
    await post(MARKED);
    expect(opened()).toMatchObject([{ is_retry: false }, { is_retry: true, joins_answered: true }]);
  });
});

describe('an answer that was sent in full', () => {
  /** A connection on which a request was sent, and whose client reads nothing yet. */
  async function send(connection: 'keep-alive' | 'close'): Promise<Socket> {
    const socket = connect(testBed.gateway.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    socket.pause().write(toHttp(connection));
    await waitFor(() => hasReported('answered') || null);
    return socket;
  }

  it.each(['keep-alive', 'close'] as const)(
    'counts as lost when its client resets the connection (%s)',
    async (connection) => {
      const socket = await send(connection);
      socket.resetAndDestroy();
      await waitFor(() => hasReported('unanswered') || null);
    },
  );

  it.each(['keep-alive', 'close'] as const)(
    'counts as received when its client closes the connection (%s)',
    async (connection) => {
      const socket = await send(connection);
      socket.resume().end();
      await new Promise((resolve) => socket.once('close', resolve));
      await settle();
      expect(hasReported('unanswered')).toBe(false);
    },
  );

  it('delays the end of the process by no client that does not close', async () => {
    const gateway = await testBed.startGateway({});
    const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket.on('error', () => undefined));
    socket.write(toHttp('close'));
    await new Promise((resolve) => socket.resume().once('end', resolve));
    expect(await gateway.connections()).toBe(1);
    const startedAt = performance.now();
    await gateway.close();
    expect(performance.now() - startedAt).toBeLessThan(RESET_WATCHED_MS / 3);
  });

  it('counts as received when its client sends another request before it resets the connection', async () => {
    const socket = await send('keep-alive');
    socket.resume().write(toHttp('keep-alive'));
    await waitFor(() => hasReported('answered', 1) || null);
    socket.resetAndDestroy();
    await waitFor(() => hasReported('unanswered', 1) || null);
    expect(hasReported('unanswered', 0)).toBe(false);
  });

  /** Reports are sent in order, so that of a later request is the last to come. */
  async function settle(): Promise<void> {
    const { length } = opened();
    await post();
    await waitFor(() => hasReported('answered', length) || null);
  }
});

function toHttp(connection: string): string {
  const text = JSON.stringify(BODY);
  const head = [
    `POST ${GENERATIONS} HTTP/1.1`,
    'Host: gateway.test',
    `Authorization: Bearer ${API_KEY}`,
    `Connection: ${connection}`,
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
