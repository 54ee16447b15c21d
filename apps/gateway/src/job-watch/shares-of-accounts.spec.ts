import { createHash } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, get, request } from 'node:http';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY, JOB, UNKNOWN_KEY } from '../../test/contexts.fixtures';
import { useGateway, type TestGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';

/** Of 40 connections: 28 waits and 8 streams, of which an account gets 7 and 2. */
const SETTINGS = { KINORA_CONNECTIONS_MAX: '40', KINORA_ADDRESS_CONNECTIONS_MAX: '40' };
const WAITS_OF_ACCOUNT = 7;
const STREAMS_OF_ACCOUNT = 2;
const OTHER_SHA256 = createHash('sha256').update(UNKNOWN_KEY).digest('hex');

const testBed = useGateway();
const { contexts } = testBed;
const open: ClientRequest[] = [];
let gateway: TestGateway;

beforeEach(async () => {
  contexts.on(jobsRpc.get, () => JOB);
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
  contexts.on(jobsRpc.getProgress, () => ({ job_id: JOB.id, status: 'queued', progress: null }) as JobProgress);
  gateway = await testBed.startGateway(SETTINGS);
});
afterEach(async () => {
  for (const each of open.splice(0)) each.destroy();
  await gateway.close();
});

/** The second key belongs to the same account, or to another one. */
function secondKeyOf(account_id: string): void {
  const second = { ...ADMISSION, api_key_id: 'key_2', account_id };
  contexts.on(billingRpc.admit, ({ key_sha256 }) => (key_sha256 === OTHER_SHA256 ? second : ADMISSION));
}

const keys = [API_KEY, UNKNOWN_KEY] as const;
const keyAt = (index: number): string => keys[index % 2] as string;

function hold(path: string, key: string, json?: object): void {
  const headers = { Authorization: `Bearer ${key}`, Prefer: 'wait=60', 'Content-Type': 'application/json' };
  const target = { host: '127.0.0.1', port: gateway.port, path, agent: false, headers };
  const held = request({ ...target, method: json ? 'POST' : 'GET' }).on('error', () => undefined);
  held.end(json && JSON.stringify(json));
  open.push(held);
}

const ask = (method: string, path: string, key: string, json?: object): Promise<TestResponse> =>
  gateway.client.send(method, path, { json, headers: { Authorization: `Bearer ${key}`, Prefer: 'wait=1' } });

describe('the requests of one account that wait', () => {
  const GENERATIONS = '/openai/v1/images/generations';
  const PROMPT = { prompt: 'a fox' };

  it('are a quarter of those of the process, over all of its keys; another account still waits', async () => {
    secondKeyOf(ADMISSION.account_id);
    for (let each = 0; each < WAITS_OF_ACCOUNT; each++) hold(`/v1/jobs/${JOB.id}`, keyAt(each));
    await waitFor(() => gateway.waitingRequests() === WAITS_OF_ACCOUNT);
    const beyond = [
      await ask('GET', `/v1/jobs/${JOB.id}`, API_KEY),
      await ask('POST', '/v1/images/generations', UNKNOWN_KEY, PROMPT),
    ];
    expect(beyond.map(({ status, headers }) => [status, headers['preference-applied']])).toEqual([
      [200, undefined],
      [202, undefined],
    ]);
    secondKeyOf(JOB.id);
    expect((await ask('GET', `/v1/jobs/${JOB.id}`, UNKNOWN_KEY)).headers['preference-applied']).toBe('wait=1');
  });

  it('are refused at /openai/v1 before a job is created, and find a place when one has left', async () => {
    secondKeyOf(ADMISSION.account_id);
    for (let each = 0; each < WAITS_OF_ACCOUNT; each++) hold(GENERATIONS, keyAt(each), PROMPT);
    await waitFor(() => gateway.waitingRequests() === WAITS_OF_ACCOUNT);
    const refused = await ask('POST', GENERATIONS, API_KEY, PROMPT);
    expect([refused.status, refused.error.code, refused.headers['retry-after']]).toEqual([
      429,
      'concurrency_limit',
      '5',
    ]);
    expect(refused.error.message).toContain(`this account may have ${WAITS_OF_ACCOUNT}`);
    expect(contexts.of(jobsRpc.create)).toHaveLength(WAITS_OF_ACCOUNT);
    open.shift()?.destroy();
    await waitFor(() => gateway.waitingRequests() === WAITS_OF_ACCOUNT - 1);
    hold(GENERATIONS, API_KEY, PROMPT);
    await waitFor(() => gateway.waitingRequests() === WAITS_OF_ACCOUNT);
  });

  it('leave no place taken where the creation is refused', async () => {
    for (let each = 0; each < WAITS_OF_ACCOUNT + 1; each++)
      expect((await ask('POST', GENERATIONS, API_KEY, {})).status).toBe(400);
  });

  it('are refused with 503 before a job is created where the process has no place', async () => {
    await gateway.close();
    gateway = await testBed.startGateway({
      ...SETTINGS,
      KINORA_ACCOUNT_SHARE_PERCENT: '100',
      KINORA_CONNECTIONS_MAX: '2',
    });
    hold(`/v1/jobs/${JOB.id}`, API_KEY);
    await waitFor(() => gateway.waitingRequests() === 1);
    const refused = await ask('POST', GENERATIONS, API_KEY, PROMPT);
    expect([refused.status, refused.headers['retry-after'], contexts.of(jobsRpc.create)]).toEqual([503, '1', []]);
  });
});

describe('the event streams of one account', () => {
  const path = `/v1/jobs/${JOB.id}/events`;

  async function openStream(key: string): Promise<IncomingMessage> {
    return await new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${key}` };
      open.push(
        get({ host: '127.0.0.1', port: gateway.port, path, headers, agent: false }, resolve).on('error', reject),
      );
    });
  }

  it('are a quarter of those of the process, over all of its keys; another account still opens one', async () => {
    secondKeyOf(ADMISSION.account_id);
    for (let each = 0; each < STREAMS_OF_ACCOUNT; each++) expect((await openStream(keyAt(each))).statusCode).toBe(200);
    const refused = await ask('GET', path, UNKNOWN_KEY);
    expect([refused.status, refused.error.code]).toEqual([429, 'concurrency_limit']);
    expect(refused.error.message).toContain(`this account may have ${STREAMS_OF_ACCOUNT}`);
    secondKeyOf(JOB.id);
    expect((await openStream(UNKNOWN_KEY)).statusCode).toBe(200);
  });
});
