import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { waitFor } from '@kinora/testing';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';
import { openStreams } from './http.metrics';

const testBed = useGateway();
const { contexts } = testBed;

beforeEach(() => {
  const page = { object: 'list' as const, data: [JOB], has_more: false, next_cursor: null };
  contexts.on(jobsRpc.list, () => page);
  contexts.on(jobsRpc.get, ({ job_id }) => (job_id === JOB.id ? JOB : fail('not_found', 'There is no such job.')()));
  contexts.on(jobsRpc.getProgress, () => ({ job_id: JOB.id, status: 'queued', progress: null }) as JobProgress);
  contexts.on(jobsRpc.listEvents, () => ({ events: [], has_more: false, next_cursor: null }));
  contexts.on(jobsRpc.listReceiptKeys, () => ({ keys: [] }));
});

const described = ({ headers }: TestResponse): object => {
  // These differ between any two responses.
  const { date: _date, 'x-request-id': _id, 'ratelimit-remaining': _remaining, ...same } = headers;
  return same;
};

describe('HEAD', () => {
  it.each([
    [200, '/v1/ping'],
    [200, '/v1/models'],
    [200, '/v1/models?x=1'],
    [200, '/v1/jobs?limit=1'],
    [400, '/v1/jobs?limit=x'],
    [200, `/v1/jobs/${JOB.id}`],
    [404, '/v1/jobs/0198c6f0-0000-7000-8000-000000000000'],
    [200, `/v1/jobs/${JOB.id}/progress`],
    [200, '/v1/events'],
    [403, '/v1/account/keys'],
    [404, '/v1/images/generations'],
    [200, '/openai/v1/models'],
    [404, '/openai/v1/models/none'],
    [200, '/.well-known/jwks.json'],
  ])('has status %i and the headers of GET, and no body: %s', async (status, path) => {
    const [head, get] = [await testBed.client.send('HEAD', path), await testBed.client.send('GET', path)];
    expect([head.status, get.status, head.bytes.length]).toEqual([status, status, 0]);
    expect(described(head)).toEqual(described(get));
    expect(Number(head.headers['content-length'])).toBe(get.bytes.length);
  });

  it('is answered to a monitor without a key at /ping, and is 401 elsewhere', async () => {
    const ping = await testBed.client.sendBare('HEAD', '/v1/ping');
    expect([ping.status, ping.headers['x-request-id']]).toEqual([200, expect.stringMatching(/^req_/)]);
    expect((await testBed.client.sendBare('HEAD', '/v1/models')).status).toBe(401);
  });

  it('needs the scope read', async () => {
    contexts.on(billingRpc.admit, () => ({ ...ADMISSION, scope: 'read' as const }));
    expect((await testBed.client.send('HEAD', '/v1/models')).status).toBe(200);
  });

  it.each([`/v1/jobs/${JOB.id}/events`, '/v1/events'])('opens no stream: %s', async (path) => {
    const headers = { Accept: 'text/event-stream' };
    const { status, headers: answered, bytes } = await testBed.client.send('HEAD', path, { headers });
    expect([status, answered['content-type'], bytes.length]).toEqual([200, 'text/event-stream', 0]);
    await waitFor(async () => (await openStreams.get()).values[0]?.value === 0);
  });
});
