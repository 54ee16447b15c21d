import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { CallbackSigner } from '@kinora/webhooks';
import { fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const KEY = 'a signing key of this spec only, long enough';
const TARGET = { jobId: '0192f3a0-0000-7000-8000-00000000000a', attemptNumber: 2 };
const BODY = Buffer.from('{"id": "ü",  "status":"succeeded"}\n');

describe('callback', () => {
  const testBed = useGateway({ KINORA_URL_SIGNING_KEY: KEY });
  const address = new CallbackSigner(KEY).pathOf('gpu-a', TARGET);

  beforeEach(() => testBed.contexts.on(jobsRpc.receiveCallback, () => ({})));

  it.each([
    ['application/json', BODY],
    ['text/plain; charset=utf-8', Buffer.from([0, 255, 10])],
    ['made/up', Buffer.alloc(1024 * 1024, 'x')],
  ])('of type %s reaches jobs unchanged, with its headers, and gets an empty response', async (type, body) => {
    const headers = { 'Content-Type': type, 'Webhook-Signature': 'v1,abc' };
    const answer = await testBed.client.sendBare('POST', address, headers, body);
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(answer.headers).not.toHaveProperty('ratelimit-remaining');
    expect(testBed.contexts.of(jobsRpc.receiveCallback)).toEqual([
      {
        provider: 'gpu-a',
        job_id: TARGET.jobId,
        attempt_number: TARGET.attemptNumber,
        headers: expect.objectContaining({ 'webhook-signature': 'v1,abc' }) as object,
        body_base64: body.toString('base64'),
      },
    ]);
  });

  it('may have no body', async () => {
    expect((await testBed.client.sendBare('POST', address)).status).toBe(200);
    expect(testBed.contexts.of(jobsRpc.receiveCallback)).toMatchObject([{ body_base64: '' }]);
  });

  it.each([
    ['at another instance', 'POST', address.replace('gpu-a', 'gpu-b')],
    ['with a forged token', 'POST', address.replace(/.{4}$/, 'AAAA')],
    ['without a token', 'POST', '/callbacks/gpu-a'],
    ['below /v1', 'POST', `/v1${address}`],
    ['by another method', 'GET', address],
  ])('%s is answered 404 without a request to jobs', async (_name, method, path) => {
    const { status, error } = await testBed.client.sendBare(method, path, {}, method === 'POST' ? BODY : undefined);
    expect([status, error.code]).toEqual([404, 'not_found']);
    expect(testBed.contexts.requests).toEqual([]);
  });

  it('with a forged token is answered before its body is read, and its connection is closed', async () => {
    const path = address.replace(/.{4}$/, 'AAAA');
    const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 1048576', '', ''];
    expect(await testBed.client.sendRaw(head.join('\r\n'))).toMatch(/^HTTP\/1.1 404 [^]*\r\nconnection: close/i);
    expect(testBed.contexts.requests).toEqual([]);
  });

  it('that jobs rejects is answered 404', async () => {
    testBed.contexts.on(jobsRpc.receiveCallback, fail('not_found', 'There is no such endpoint.'));
    const disbelieved = await testBed.client.sendBare('POST', address, {}, BODY);
    const guessed = await testBed.client.sendBare('POST', address.replace(/.{4}$/, 'AAAA'), {}, BODY);
    const { request_id: _one, ...rest } = disbelieved.error;
    const { request_id: _other, ...expected } = guessed.error;
    expect([disbelieved.status, rest]).toEqual([guessed.status, expected]);
  });

  it('is answered 503 while jobs is unavailable, so that the backend retries', async () => {
    testBed.contexts.on(jobsRpc.receiveCallback, () => {
      throw ApiError.unavailable('The job service');
    });
    const { status, headers } = await testBed.client.sendBare('POST', address, {}, BODY);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
  });

  it('has a size limit, and nothing of it appears in the log', async () => {
    const secret = Buffer.concat([Buffer.from('a-secret-of-the-backend'), Buffer.alloc(1024 * 1024)]);
    const { status, error } = await testBed.client.sendBare('POST', address, {}, secret);
    expect([status, error.code]).toEqual([400, 'invalid_body']);
    await testBed.client.sendBare('POST', address, {}, Buffer.from('a-secret-of-the-backend'));
    const token = address.slice('/callbacks/gpu-a/'.length);
    expect(JSON.stringify(testBed.log)).not.toMatch(new RegExp(`a-secret-of-the-backend|${token}`));
  });
});
