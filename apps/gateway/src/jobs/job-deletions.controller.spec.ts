import { request } from 'node:http';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ADMISSION, JOB, fail } from '../../test/contexts.fixtures';
import { useGateway } from '../../test/gateway.fixtures';

const { account_id } = ADMISSION;
const ref = { account_id, job_id: JOB.id };
const testBed = useGateway();
const { client, contexts } = testBed;

describe.each([
  ['outputs', jobsRpc.deleteOutputs],
  ['content', jobsRpc.deleteContent],
] as const)('DELETE /jobs/{id}/%s', (part, contract) => {
  const path = `/v1/jobs/${JOB.id}/${part}`;

  it('answers the job as jobs sends it', async () => {
    contexts.on(contract, () => JOB);
    const { status, json } = await client.send('DELETE', path);
    expect([status, json()]).toEqual([200, JOB]);
    expect(contexts.of(contract)).toEqual([ref]);
  });

  it('is 400 for a job in flight, and 503 while a part of the service is down', async () => {
    contexts.on(contract, fail('job_in_flight', 'The job is in flight.'));
    const inFlight = await client.send('DELETE', path);
    expect([inFlight.status, inFlight.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', code: 'job_in_flight' } },
    ]);
    contexts.on(contract, fail('capacity', 'Storage is not available right now.'));
    const { status, headers } = await client.send('DELETE', path);
    expect([status, headers['retry-after']]).toEqual([503, '1']);
  });

  it('is 401 without a key, and 404 for a malformed id, like any other job', async () => {
    expect((await client.sendBare('DELETE', path)).status).toBe(401);
    expect((await client.send('DELETE', `/v1/jobs/1/${part}`)).status).toBe(404);
    expect((await client.send('DELETE', `/v1/jobs/${JOB.id}`)).status).toBe(404);
    expect(contexts.of(contract)).toEqual([]);
  });
});

describe('a download', () => {
  const KEY = `outputs/${JOB.id}/0.png`;
  const BYTES = Buffer.alloc(8 * 1024 * 1024, 'k');

  it('that has begun a range may end after the file is deleted, and the next request finds nothing', async () => {
    await testBed.gateway.objects.put(KEY, BYTES, { mime: 'image/png' });
    const link = testBed.gateway.signer.sign(KEY, new Date(Date.now() + 60_000)).replace('http://gateway.test', '');
    const received = await new Promise<number>((resolve, reject) => {
      const download = request(
        { host: '127.0.0.1', port: testBed.gateway.port, path: link, headers: { Range: 'bytes=0-' } },
        (response) => {
          let bytes = 0;
          response.once('readable', () => {
            void testBed.gateway.objects.delete(KEY).then(() => {
              response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes));
            }, reject);
          });
          response.on('error', reject);
        },
      );
      download.on('error', reject).end();
    });
    expect(received).toBe(BYTES.length);
    expect((await client.sendBare('GET', link)).status).toBe(404);
  });
});
