import { request } from 'node:http';
import { connect } from 'node:net';
import { register } from '@kinora/metrics';
import { type LogLine, waitFor } from '@kinora/testing';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ADMISSION, API_KEY, JOB, UNKNOWN_KEY, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const testBed = useGateway();

const IDLE = /^kinora_http_requests_in_flight 0$/m;

const shown = async (name: string): Promise<string> => register.getSingleMetricAsString(name);

describe('metrics of requests', () => {
  it('are labelled by route template and status class, never by values of the client', async () => {
    const base = `http://127.0.0.1:${testBed.gateway.port}/v1`;
    await fetch(`${base}/ping`);
    await fetch(`${base}/jobs/0192f3a0-0000-7000-8000-000000000001`);
    await fetch(`${base}/no-such-thing`, { method: 'PURGE' });
    const text = await waitFor(async () => {
      const soFar = await shown('kinora_http_request_duration_seconds');
      return soFar.includes('unknown') && soFar;
    });
    const count = 'kinora_http_request_duration_seconds_count';
    expect(text).toContain(`${count}{method="GET",route="/v1/ping",status="2xx"} 1`);
    expect(text).toMatch(new RegExp(`${count}\\{method="GET",route="/v1/jobs/:\\w+",status="4xx"\\} 1`));
    expect(text).toContain(`${count}{method="other",route="unknown",status="4xx"} 1`);
    expect(text).not.toMatch(/0192f3a0|no-such-thing|PURGE/);
  });

  it('count errors by code, and return to zero requests in flight', async () => {
    expect(await shown('kinora_http_errors_total')).toMatch(/\{code="invalid_api_key"\} 1\b/);
    await waitFor(async () => IDLE.test(await shown('kinora_http_requests_in_flight')));
    expect(await shown('kinora_http_held_body_bytes')).toMatch(/^kinora_http_held_body_bytes 0$/m);
  });

  it('stop counting a request whose client disconnects before the response', async () => {
    const headers = { Authorization: `Bearer ${API_KEY}` };
    const outgoing = request({ host: '127.0.0.1', port: testBed.gateway.port, path: '/v1/models', headers });
    const left = new Promise((resolve) => outgoing.once('error', resolve));
    let wasRequested = false;
    testBed.contexts.on(catalogRpc.listModels, async () => {
      wasRequested = true;
      expect(await shown('kinora_http_requests_in_flight')).not.toMatch(IDLE);
      outgoing.destroy(new Error('The client has left.'));
      await waitFor(() => testBed.log.of('http_request').some(({ is_aborted }) => is_aborted === true));
      return { object: 'list' as const, data: [] };
    });
    outgoing.end();
    await left;
    expect(wasRequested).toBe(true);
    await waitFor(async () => IDLE.test(await shown('kinora_http_requests_in_flight')));
  });
});

describe('access log', () => {
  beforeEach(() => (testBed.log.lines.length = 0));

  /** The line is written when the response has been sent, which the client may notice first. */
  const line = (): Promise<LogLine> => waitFor(() => testBed.log.of('http_request')[0]);

  it('contains the route, the response, the account and the job of a request', async () => {
    testBed.contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
    const answer = await testBed.client.send('POST', '/v1/images/generations', { json: { prompt: 'a heron' } });
    expect(await line()).toMatchObject({
      level: 'info',
      request_id: answer.headers['x-request-id'],
      account_id: ADMISSION.account_id,
      job_id: JOB.id,
      method: 'POST',
      route: '/v1/images/generations',
      status: 202,
      bytes: answer.bytes.length,
      duration_ms: expect.any(Number) as number,
    });
    expect(await line()).not.toHaveProperty('is_aborted');
  });

  it('contains the job of a request of OpenAI, and the code of its error', async () => {
    const job = { ...JOB, status: 'failed' as const, error: { code: 'provider_error' as const, message: 'No.' } };
    testBed.contexts.on(jobsRpc.create, () => ({ job, replayed: false }));
    await testBed.client.send('POST', '/openai/v1/images/generations', { json: { prompt: 'a heron' } });
    const route = '/openai/v1/images/generations';
    expect(await line()).toMatchObject({ route, job_id: JOB.id, status: 502, error_code: 'provider_error' });
    expect(JSON.stringify(testBed.log.lines)).not.toContain('heron');
  });

  it('contains the job that a request names, and the error code of its response', async () => {
    testBed.contexts.on(jobsRpc.get, fail('not_found', 'There is no such job.'));
    await testBed.client.send('GET', `/v1/jobs/${JOB.id}`);
    expect(await line()).toMatchObject({ route: '/v1/jobs/:id', job_id: JOB.id, status: 404, error_code: 'not_found' });
  });

  it.each([
    ['a path that is no route', 'GET', `/v1/${UNKNOWN_KEY}`],
    ['an id that is none', 'GET', `/v1/jobs/${UNKNOWN_KEY}`],
    ['a query', 'GET', `/v1/jobs?${UNKNOWN_KEY}=${UNKNOWN_KEY}`],
    ['the name of a file', 'GET', `/files/${UNKNOWN_KEY}?signature=${UNKNOWN_KEY}`],
    ['a model of OpenAI', 'GET', `/openai/v1/models/${UNKNOWN_KEY}`],
    ['a path of OpenAI', 'GET', `/openai/v1/${UNKNOWN_KEY}?${UNKNOWN_KEY}=${UNKNOWN_KEY}`],
    ['a callback', 'POST', `/callbacks/gpu-a/${UNKNOWN_KEY}`],
  ])('does not contain what a client has put into %s', async (_, method, path) => {
    await testBed.client.send(method, path);
    expect(JSON.stringify(await line())).not.toContain(UNKNOWN_KEY);
  });

  it('has a line for a client that disconnected before its response', async () => {
    const headers = { Authorization: `Bearer ${API_KEY}` };
    const outgoing = request({ host: '127.0.0.1', port: testBed.gateway.port, path: '/v1/models', headers });
    const left = new Promise((resolve) => outgoing.once('error', resolve));
    testBed.contexts.on(catalogRpc.listModels, async () => {
      outgoing.destroy(new Error('The client has left.'));
      await line();
      return { object: 'list' as const, data: [] };
    });
    outgoing.end();
    await left;
    expect(await line()).toMatchObject({ route: '/v1/models', is_aborted: true });
  });

  it('has a line for a pipelined request whose client disconnects before its response', async () => {
    const socket = connect(testBed.gateway.port, '127.0.0.1');
    const both = (): Promise<LogLine[]> =>
      waitFor(() => testBed.log.of('http_request').length === 2 && testBed.log.of('http_request'));
    testBed.contexts.on(catalogRpc.listModels, async () => {
      socket.destroy();
      await both();
      return { object: 'list' as const, data: [] };
    });
    const head = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${API_KEY}\r\n\r\n`;
    socket.write(head('/v1/models') + head('/v1/ping'));
    expect((await both()).map(({ route, is_aborted }) => [route, is_aborted]).sort()).toEqual([
      ['/v1/models', true],
      ['/v1/ping', true],
    ]);
  });
});
