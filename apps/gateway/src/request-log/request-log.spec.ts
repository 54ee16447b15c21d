import { type Bus, connectNats } from '@kinora/bus';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { CONSOLE_USER_AGENT, type EndedRequest, requestLogSignals } from '@kinora/contracts/console/request-log.events';
import { ApiError } from '@kinora/contracts/shared/errors';
import { register } from '@kinora/metrics';
import { createTestLog, waitFor } from '@kinora/testing';
import { ADMISSION, API_KEY } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import { toOpenAiError } from '../openai/openai-error';
import { RequestLog } from './request-log';

const counted = async (): Promise<string> => register.getSingleMetricAsString('kinora_http_logged_requests_total');

describe('the request log', () => {
  const testBed = useGateway();
  const published: EndedRequest[] = [];
  let close: () => Promise<void>;

  beforeAll(async () => {
    testBed.contexts.reset();
    testBed.contexts.on(catalogRpc.listModels, () => Promise.resolve({ object: 'list' as const, data: [] }));
    const connection = await connectNats({ url: testBed.natsUrl, name: 'console', logger: createTestLog().logger });
    connection.subscribe(requestLogSignals.ended.subject, {
      callback: (_error, message) => published.push(...message.json<{ requests: EndedRequest[] }>().requests),
    });
    await connection.flush();
    close = () => connection.close();
  });
  afterAll(async () => {
    await close();
  });

  it('publishes the requests of a key in batches, with their routes and codes, and without anything that the client wrote', async () => {
    const base = `http://127.0.0.1:${testBed.gateway.port}/v1`;
    const headers = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ model: 7, prompt: 'a secret prompt' });
    await fetch(`${base}/models`, { headers });
    await fetch(`${base}/images/generations`, { method: 'POST', headers, body });
    await fetch(`${base}/jobs/secret-path`, { headers: { ...headers, 'user-agent': CONSOLE_USER_AGENT } });
    await fetch(`${base}/account`);
    const empty = { allowed: false, limit: 7, remaining: 0, retry_after_seconds: 9 };
    testBed.contexts.on(billingRpc.admit, () => ({ ...ADMISSION, rate: empty }));
    await fetch(`${base}/models`, { headers });
    await waitFor(() => published.length >= 4);
    expect(published.map(({ method, route, status, code }) => ({ method, route, status, code }))).toEqual([
      { method: 'GET', route: '/v1/models', status: 200, code: null },
      { method: 'POST', route: '/v1/images/generations', status: 400, code: 'invalid_body' },
      { method: 'GET', route: '/v1/jobs/:id', status: 404, code: 'not_found' },
      { method: 'GET', route: '/v1/models', status: 429, code: 'rate_limited' },
    ]);
    expect(published[1]).toMatchObject({ message: expect.stringMatching(/^model must/) as string, param: 'model' });
    expect(published.map(({ bytes }) => bytes)).toEqual([undefined, body.length, undefined, undefined]);
    expect(published[0]).toMatchObject({
      id: expect.stringMatching(/^req_/) as string,
      account_id: expect.any(String) as string,
      api_key_id: expect.any(String) as string,
      job_id: null,
    });
    expect(published.map(({ from_console }) => from_console)).toEqual([undefined, undefined, true, undefined]);
    expect(JSON.stringify(published)).not.toMatch(/secret/);
  });
});

describe('a full request log', () => {
  const request = (account_id: string): EndedRequest => ({
    ...{ id: 'req_1', account_id, api_key_id: 'k', at: new Date().toISOString(), method: 'GET', route: '/v1/account' },
    ...{ status: 200, code: null, duration_ms: 1, job_id: null },
  });

  it('drops and counts what is beyond its bounds, and one account does not take the room of others', async () => {
    const sent: number[] = [];
    const bus = {
      isConnected: () => true,
      signal: (_contract: unknown, { requests }: { requests: EndedRequest[] }) => sent.push(requests.length),
      pingBroker: () => Promise.resolve(),
    } as unknown as Bus;
    const log = new RequestLog(bus);
    register.getSingleMetric('kinora_http_logged_requests_total')?.reset();
    for (let number = 0; number < 600; number += 1) log.add(request('busy'));
    log.add(request('quiet'));
    await log.onModuleDestroy();
    expect(sent).toEqual([250, 250, 1]);
    expect(await counted()).toContain('outcome="dropped"} 100');
    expect(await counted()).toContain('outcome="published"} 501');
  });

  const refusal = new ApiError('rate_limited', 'Too many requests.', { retry_after_seconds: 1 });

  it.each([
    ['/v1', refusal.code],
    ['/openai/v1', toOpenAiError(refusal).answer.code],
  ])('publishes a few requests to %s that the rate limit has refused, and all others', async (_, code) => {
    const sent: (number | null)[] = [];
    const bus = {
      isConnected: () => true,
      signal: (_contract: unknown, { requests }: { requests: EndedRequest[] }) =>
        sent.push(...requests.map(({ status }) => status)),
      pingBroker: () => Promise.resolve(),
    } as unknown as Bus;
    const log = new RequestLog(bus);
    for (let number = 0; number < 50; number += 1) log.add({ ...request('hasty'), status: 429, code });
    log.add(request('hasty'));
    await log.onModuleDestroy();
    expect(sent).toEqual([429, 429, 429, 429, 429, 200]);
  });

  it('drops everything while the broker is away', async () => {
    const log = new RequestLog({ isConnected: () => false } as unknown as Bus);
    register.getSingleMetric('kinora_http_logged_requests_total')?.reset();
    log.add(request('busy'));
    await log.onModuleDestroy();
    expect(await counted()).toContain('outcome="dropped"} 1');
  });
});
