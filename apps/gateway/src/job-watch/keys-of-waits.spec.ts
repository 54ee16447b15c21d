import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Job } from '@kinora/contracts/jobs/job';
import { waitFor } from '@kinora/testing';
import { useGateway } from '../../test/gateway.fixtures';
import { JOB } from '../../test/contexts.fixtures';
import type { TestResponse } from '../../test/http-client.fixtures';
import { KeyWatchTestBed } from '../../test/key-watch.fixtures';

const PREFER = { Prefer: 'wait=60' };

interface Refusal {
  error: { code: string; request_id: string };
}

const testBed = useGateway({}, new KeyWatchTestBed());
const { contexts } = testBed;

beforeEach(() => {
  contexts.on(jobsRpc.get, () => JOB);
  contexts.on(jobsRpc.create, () => ({ job: JOB, replayed: false }));
});

const read = (): Promise<TestResponse> => testBed.client.send('GET', `/v1/jobs/${JOB.id}`, { headers: PREFER });
const create = (): Promise<TestResponse> =>
  testBed.client.send('POST', '/v1/images/generations', { json: { prompt: 'a fox' }, headers: PREFER });
const waiting = (): number => testBed.gateway.waitingRequests();

describe('a request that waits', () => {
  it('is refused like every other one, without another read, when its key is revoked', async () => {
    const answers = [read(), read()];
    await waitFor(() => waiting() === 2);
    const readsBefore = contexts.of(jobsRpc.get).length;
    testBed.revoke();
    testBed.signal();
    const ended = await Promise.all(answers);
    expect([waiting(), contexts.of(jobsRpc.get).length - readsBefore]).toEqual([0, 0]);
    const { error } = (await read()).json<Refusal>();
    for (const { status, json } of ended)
      expect([status, json<Refusal>()]).toEqual([401, { error: { ...error, request_id: expect.any(String) } }]);
  });

  it('is refused when its key has expired, or the signal was lost', async () => {
    const answer = read();
    await waitFor(() => waiting() === 1);
    testBed.revoke();
    testBed.checkAll();
    expect((await answer).status).toBe(401);
  });

  it('is answered at once with the job as created when it has created one', async () => {
    const answer = create();
    await waitFor(() => waiting() === 1);
    testBed.revoke();
    testBed.signal();
    const { status, headers, json } = await answer;
    expect([status, headers['preference-applied'], json<Job>()]).toEqual([202, undefined, JOB]);
  });

  it('goes on while its key is valid, or cannot be checked', async () => {
    const answer = read();
    await waitFor(() => waiting() === 1);
    testBed.signal();
    await waitFor(() => testBed.checks === 1);
    testBed.failChecks();
    testBed.signal();
    await waitFor(() => testBed.checks === 2);
    await testBed.bus.pingBroker();
    expect(waiting()).toBe(1);
    testBed.revoke();
    testBed.signal();
    expect((await answer).status).toBe(401);
  });
});
