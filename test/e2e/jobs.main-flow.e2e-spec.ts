import { createHmac } from 'node:crypto';
import { HttpsReceiver, imagesOf, waitFor } from '@kinora/testing';
import type { Job } from '@kinora/contracts/jobs/job';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import sharp from 'sharp';
import { type Answer, type ApiClient, type ErrorBody, download } from '../support/api-client';
import { BodyAttack } from '../support/body-attack';
import { assertDescribedWebhook } from '../support/described-answers';
import { LocalStack } from '../support/local-stack';
import { secretsInLogs } from '../support/secrets-in-logs';
import { openAccount } from '../support/operator';

describe('the main job, end to end', () => {
  let stack: LocalStack;
  let receiver: HttpsReceiver;
  let client: ApiClient;

  beforeAll(async () => {
    receiver = await HttpsReceiver.start();
    stack = await LocalStack.shared();
    ({ client } = await openAccount(stack));
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await receiver.close();
  });

  it('creates an image of the requested size from a prompt, and the same image from the same seed', async () => {
    const request = { prompt: 'a lighthouse by the sea at sunset', size: '512x512', seed: 7 };
    const accepted = await client.post<Job>('/images/generations', request);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({
      object: 'job',
      input: { ...request, model: 'general-image', n: 1 },
      output: null,
    });
    const again = await client.generate(request);
    const [first, second] = await Promise.all([client.ended(accepted.body.id), client.ended(again.id)]);
    expect(first).toMatchObject({ status: 'succeeded', moderation: { status: 'passed' } });
    const images = await Promise.all([first, second].map((job) => download(imagesOf(job)[0]?.url)));
    expect(await sharp(images[0]).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 });
    // The files differ in their content credentials, which are signed anew.
    const [pixels, pixelsAgain] = await Promise.all(images.map((image) => sharp(image).raw().toBuffer()));
    expect(pixels).toEqual(pixelsAgain);
    expect(imagesOf(first)[0]).toMatchObject({ width: 512, height: 512, seed: 7, bytes: images[0]?.length });
  });

  it('refunds a cancelled job before the call returns', async () => {
    const before = await client.balanceMicros();
    const { id } = await client.generate({ prompt: '[[delay:30s]] a forest' });
    expect(await client.balanceMicros()).toBeLessThan(before);
    const canceled = await client.post<Job>(`/jobs/${id}/cancel`);
    expect(canceled.body).toMatchObject({ status: 'canceled', usage: { charged_micros: 0 } });
    expect(await client.balanceMicros()).toBe(before);
    expect((await client.post<Job>(`/jobs/${id}/cancel`)).body).toEqual(canceled.body);
  });

  it('replays a key, and refuses it for another body', async () => {
    const key = { 'Idempotency-Key': 'order-1' };
    const body = { prompt: '[[delay:1s]] an island', size: '512x512' };
    const first = await client.post<Job>('/images/generations', body, key);
    const replay = await client.post<Job>('/images/generations', body, key);
    expect(replay.status).toBe(200);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.body.id).toBe(first.body.id);
    const conflict = await client.post<ErrorBody>('/images/generations', { ...body, seed: 1 }, key);
    expect([conflict.status, conflict.body.error.code]).toEqual([409, 'idempotency_conflict']);
  });

  it.each([
    ['[[fail:error]]', 'provider_error'],
    ['[[fail:lost]]', 'provider_error'],
    ['[[fail:corrupt]]', 'invalid_output'],
    ['[[output:blocked]]', 'content_blocked_output'],
  ])('simulates %s as a failed job that is not charged', async (directive, code) => {
    const before = await client.balanceMicros();
    const { id } = await client.generate({ prompt: `${directive} a river` });
    expect(await client.ended(id)).toMatchObject({ status: 'failed', error: { code }, usage: { charged_micros: 0 } });
    await waitFor(async () => (await client.balanceMicros()) === before);
  });

  it('sends one signed webhook about the end of a job', async () => {
    const { client: owner, webhookSecret } = await openAccount(stack);
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const { id } = await owner.generate({ prompt: 'stars', webhook_url, metadata: { order: '17' } });
    await owner.ended(id);
    const [sent] = await waitFor(() => receiver.requests.length > 0 && receiver.requests);
    const event = JSON.parse(sent?.body.toString() ?? '') as WebhookEvent;
    assertDescribedWebhook(sent?.headers ?? {}, event);
    expect(event).toMatchObject({
      type: 'job.succeeded',
      data: { object: { id, status: 'succeeded', metadata: { order: '17' } } },
    });
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(sent?.headers['x-service-signature'])) ?? [];
    expect(v1).toBe(createHmac('sha256', webhookSecret).update(`${t}.${sent?.body.toString()}`).digest('hex'));
    expect(sent?.headers['x-service-event']).toBe('job.succeeded');
    expect(receiver.requests).toHaveLength(1);
  });

  it('writes no key, secret, prompt or signed link into any log, wherever a client puts them', async () => {
    const { client: careless, apiKey, webhookSecret } = await openAccount(stack);
    const { id } = await careless.generate({ prompt: 'an unmistakable zeppelin' });
    const link = imagesOf(await careless.ended(id))[0]?.url ?? '';
    for (const secret of [apiKey, webhookSecret, encodeURIComponent(link)]) {
      await careless.get(`/jobs/${secret}`);
      await careless.get(`/jobs?api_key=${secret}`);
      await careless.post('/images/generations', { prompt: 'an unmistakable zeppelin', [secret]: 1 });
      await careless.post('/images/generations', { prompt: 'p', model: secret }, { 'Idempotency-Key': secret });
    }
    await fetch(link.replace(/.$/, 'x'));
    expect(await secretsInLogs(stack, ['zeppelin', 'by the sea at sunset'])).toEqual([]);
  });

  it('accepts every create of an account while others announce bodies that they do not send', async () => {
    const attack = new BodyAttack(client.baseUrl, (await openAccount(stack)).apiKey);
    await waitFor(() => attack.isUnderWay);
    const { client: owner } = await openAccount(stack);
    const create = (): Promise<Answer<Job>> =>
      owner.post<Job>('/images/generations', { prompt: '[[delay:30s]] a jay' });
    const created = await Promise.all(Array.from({ length: 20 }, create));
    attack.end();
    expect(created.map(({ status }) => status)).toEqual(Array(20).fill(202));
    await Promise.all(created.map(({ body }) => owner.post(`/jobs/${body.id}/cancel`)));
  });
});
