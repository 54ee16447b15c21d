import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Receipt, ReceiptPayload } from '@kinora/contracts/jobs/receipt';
import { SigningKey } from '@kinora/signatures';
import { ManualClock } from '@kinora/testing';
import { createRemoteJWKSet } from 'jose';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const { kid, x, ...jwk } = new SigningKey('1'.repeat(64)).publicJwk;
const KEY = { kid, x, created_at: '2026-11-20T09:00:00.000Z', withdrawn_at: null };
const RECEIPT: Receipt = { object: 'receipt', job_id: JOB.id, payload: {} as ReceiptPayload, jws: 'a.b.c' };

const RETRY_MS = 1_000;
const testBed = useGateway();
const { contexts } = testBed;

describe('GET /v1/jobs/{id}/receipt', () => {
  it('is the receipt of jobs, for the account of the key', async () => {
    contexts.on(jobsRpc.getReceipt, () => RECEIPT);
    const { status, json } = await testBed.client.send('GET', `/v1/jobs/${JOB.id.toUpperCase()}/receipt`);
    expect([status, json()]).toEqual([200, RECEIPT]);
    expect(contexts.of(jobsRpc.getReceipt)).toEqual([{ account_id: ADMISSION.account_id, job_id: JOB.id }]);
  });

  it('is 400 for a job in flight, 404 for an id that is no UUID, and 401 without a key', async () => {
    contexts.on(jobsRpc.getReceipt, fail('job_in_flight', 'The job has not ended yet.'));
    const path = `/v1/jobs/${JOB.id}/receipt`;
    const { status, error } = await testBed.client.send('GET', path);
    expect([status, error.type, error.code]).toEqual([400, 'invalid_request_error', 'job_in_flight']);
    expect((await testBed.client.send('GET', '/v1/jobs/x/receipt')).status).toBe(404);
    expect((await testBed.client.sendBare('GET', path)).status).toBe(401);
  });
});

describe('GET /.well-known/jwks.json', () => {
  it('needs no key, and is a set that a JOSE library reads', async () => {
    const { port, client } = await testBed.startGateway({});
    contexts.on(jobsRpc.listReceiptKeys, () => ({ keys: [KEY] }));
    const { status, headers, json } = await client.sendBare('GET', '/.well-known/jwks.json');
    expect([status, json()]).toEqual([200, { keys: [{ kid, x, ...jwk }] }]);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
    const keys = createRemoteJWKSet(new URL(`http://127.0.0.1:${port}/.well-known/jwks.json`));
    expect(await keys({ alg: 'EdDSA', kid })).toMatchObject({ type: 'public' });
  });

  it('causes one request to jobs, however many clients read it', async () => {
    const { client } = await testBed.startGateway({});
    contexts.on(jobsRpc.listReceiptKeys, () => ({ keys: [KEY] }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.sendBare('GET', '/.well-known/jwks.json')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(contexts.of(jobsRpc.listReceiptKeys)).toHaveLength(1);
  });

  it('is 503 while jobs does not answer, without a request to it for each client', async () => {
    const clock = new ManualClock();
    const { client } = await testBed.startGateway({}, clock);
    contexts.on(jobsRpc.listReceiptKeys, fail('capacity', 'Jobs is not available.'));
    for (const passedMs of [0, 0, RETRY_MS, 0]) {
      clock.advance(passedMs);
      expect((await client.sendBare('GET', '/.well-known/jwks.json')).status).toBe(503);
    }
    expect(contexts.of(jobsRpc.listReceiptKeys)).toHaveLength(2);
  });
});
