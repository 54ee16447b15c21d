import type { JobList } from '@kinora/contracts/jobs/job';
import { waitFor } from '@kinora/testing';
import { type Answer, ApiClient } from '../../support/api-client';
import { openAccount } from '../../support/operator';
import { RawConnection } from '../../support/raw-http';
import { expectEnvelope, expectHeaders } from './resources';
import { DELAY, type TestBed } from './test-bed';

const UNAUTHENTICATED = { status: 401, code: 'invalid_api_key' };
const NOT_FOUND = { status: 404, code: 'not_found' };
/** Less than the time that the gateway waits for a body. */
const ANSWERED_WITHIN_MS = 20_000;

const OPERATIONS = [
  'POST /images/generations',
  'POST /images/edits',
  'GET /jobs',
  'GET /jobs/01a1f958-b9ac-704f-9888-bb62723227cf',
  'POST /jobs/01a1f958-b9ac-704f-9888-bb62723227cf/cancel',
  'GET /models',
  'GET /loras',
  'GET /account',
  'GET /usage',
];

/** Sends the head only, so a response shows that the body was not read. */
async function requestByHead({ port }: TestBed, operation: string): Promise<Answer<unknown>> {
  const [method, path] = operation.split(' ');
  const connection = await RawConnection.open(port);
  connection.write([`${method} /v1${path} HTTP/1.1`, 'Host: x', '', ''].join('\r\n'));
  const answer = await waitFor(() => connection.answers[0], { timeoutMs: ANSWERED_WITHIN_MS });
  connection.destroy();
  expectHeaders(answer.headers);
  return answer;
}

export function describeAuthentication(testBed: TestBed): void {
  describe('Authentication', () => {
    it.each(OPERATIONS)('%s needs a key', async (operation) => {
      expectEnvelope(await requestByHead(testBed, operation), UNAUTHENTICATED);
    });

    it('a revoked key is refused at once', async () => {
      const { api_key, api_key_id } = await testBed.createKey();
      const client = new ApiClient(testBed.client.baseUrl, api_key);
      expect((await client.get('/account')).status).toBe(200);
      await testBed.revokeKey(api_key_id);
      await waitFor(async () => (await client.get('/account')).status === 401, { timeoutMs: 1_000 });
    });

    it('an expired key is refused', async () => {
      const { api_key } = await testBed.createKey(new Date(Date.now() + 1_500).toISOString());
      const client = new ApiClient(testBed.client.baseUrl, api_key);
      expect((await client.get('/account')).status).toBe(200);
      const refused = await waitFor(async () => {
        const answer = await client.get('/account');
        return answer.status !== 200 && answer;
      });
      expectEnvelope(refused, UNAUTHENTICATED);
    });
  });
}

export function describeForeignJobs(testBed: TestBed): void {
  describe('an unknown id', () => {
    it("another account's job is 404 with the body of an unknown one", async () => {
      const { id } = await testBed.client.generate({ prompt: DELAY });
      const stranger = (await openAccount(testBed.stack)).client;
      const unknown = '01a1f958-b9ac-704f-9888-bb62723227cf';
      for (const path of ['', '/cancel']) {
        const probe = (job: string): Promise<Answer<unknown>> =>
          path === '' ? stranger.get(`/jobs/${job}`) : stranger.post(`/jobs/${job}${path}`);
        const [theirs, unowned] = [await probe(id), await probe(unknown)];
        expectEnvelope(theirs, NOT_FOUND);
        const message = (answer: Answer<unknown>): string =>
          JSON.stringify(answer.body).replace(/req_[0-9a-zA-Z]+/, '');
        expect(message(theirs)).toBe(message(unowned));
      }
      expect((await stranger.get<JobList>('/jobs')).body.data).toEqual([]);
      expect((await testBed.client.job(id)).status).not.toBe('canceled');
      await testBed.client.post(`/jobs/${id}/cancel`);
    });
  });
}
