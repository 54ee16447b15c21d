import { JobPendingError } from '@kinora/client';
import { generateImage } from 'ai';
import { createKinora } from './kinora-provider';

const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
const OUTPUT = { mime: 'image/png', width: 8, height: 8, bytes: PNG.length, seed: 7, url: 'http://files.example/1' };
const JOB = {
  ...{ id: '019aa00d-5c1e-7b52-8f36-2f1f0e9d6c11', object: 'job', status: 'succeeded', model: 'fast-image' },
  ...{ created_at: '2026-11-22T10:00:00.000Z', usage: { charged_usd: 0.005 }, output: { images: [OUTPUT] } },
};

interface Sent {
  path: string;
  headers: Headers;
  body: Record<string, unknown>;
}

/** A provider whose API answers with this job, and the creations that it sent. */
function connect(job: object = JOB) {
  const sent: Sent[] = [];
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname, host } = new URL(request.url);
    if (host === 'files.example') return new Response(PNG);
    if (request.method !== 'POST') throw new TypeError('The network is gone.');
    sent.push({ path: pathname, headers: request.headers, body: (await request.json()) as Sent['body'] });
    return Response.json(job);
  };
  const options = { apiKey: 'knr_test_x', baseURL: 'http://api.example/v1', fetch: answer, maxRetries: 0 };
  return { provider: createKinora(options), sent };
}

describe('an image model of the AI SDK', () => {
  it('sends seed, aspect ratio and own fields, and options of the client as such', async () => {
    const { provider, sent } = connect();
    const kinora = { negative_prompt: 'boats', idempotencyKey: 'spec-1', quote: 'quote_1' };
    const { image, providerMetadata } = await generateImage({
      model: provider.image('fast-image'),
      ...{ prompt: 'a lake', seed: 7, aspectRatio: '16:9', providerOptions: { kinora } },
    });
    expect(Buffer.from(image.uint8Array)).toEqual(PNG);
    expect(providerMetadata.kinora?.images).toMatchObject([{ job_id: JOB.id, charged_usd: 0.005, seed: 7 }]);
    const [{ path, headers, body } = sent[0]!] = sent;
    const request = { model: 'fast-image', prompt: 'a lake', n: 1, seed: 7, negative_prompt: 'boats' };
    expect({ path, body }).toEqual({ path: '/v1/images/generations', body: { ...request, aspect_ratio: '16:9' } });
    expect([headers.get('idempotency-key'), headers.get('x-service-quote')]).toEqual(['spec-1', 'quote_1']);
  });

  it('does not lose a job whose wait fails', async () => {
    const { provider, sent } = connect({ ...JOB, status: 'processing', output: null });
    const call = generateImage({ model: provider.image('fast-image'), prompt: 'a lake', maxRetries: 0 });
    const error = await call.catch((failure: unknown) => failure);
    if (!(error instanceof JobPendingError)) throw error;
    expect(error.jobId).toBe(JOB.id);
    expect(error.idempotencyKey).toBe(sent[0]?.headers.get('idempotency-key'));
  });
});
