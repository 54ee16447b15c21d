import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FakeSandbox } from '@kinora/compute/fixtures';
import { waitFor } from '@kinora/testing';
import type { Route } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { JobsServiceFixture } from './jobs-service.fixtures';

describe('routing jobs', () => {
  let fixture: JobsServiceFixture;
  let first: FakeSandbox;
  let second: FakeSandbox;

  const loraDir = mkdtempSync(path.join(os.tmpdir(), 'loras-'));
  afterAll(() => rmSync(loraDir, { recursive: true }));

  const routes = (...providers: string[]): Route[] =>
    providers.map((provider, order) => ({ provider, weight: 1, order }));

  beforeEach(async () => {
    [first, second] = [new FakeSandbox(), new FakeSandbox()];
    second.capacity = { concurrency: 10, interleaves: true };
    const local = { type: 'openai-images', dialect: 'localai' };
    fixture = await JobsServiceFixture.start('api,runner', {}, [
      { id: 'first', type: 'sandbox', url: await first.start(), concurrency: 1 },
      { id: 'second', type: 'sandbox', url: await second.start(), concurrency: 10 },
      { id: 'local', ...local, url: 'http://127.0.0.1:1' },
      { id: 'sharing', type: 'comfyui', url: 'http://127.0.0.1:1', shared_lora_dir: loraDir },
      { id: 'unmounted', type: 'comfyui', url: 'http://127.0.0.1:1', shared_lora_dir: `${loraDir}/gone` },
    ]);
    fixture.fakes.model = { routes: routes('first', 'second') };
  });
  afterEach(async () => {
    await fixture.close();
    await Promise.all([first.stop(), second.stop()]);
  });

  const create = async (prompt?: string): Promise<string> =>
    (await fixture.create(prompt === undefined ? {} : { prompt })).job.id;

  it('sends jobs beyond the limit of the first instance to the second, and fills none over its limit', async () => {
    const jobs = [await create(), await create(), await create()];
    await waitFor(() => first.received.length + second.received.length === 3);
    expect([first.received.length, second.received.length]).toEqual([1, 2]);
    first.finish();
    second.finish();
    for (const id of jobs)
      expect(await fixture.whenEnded(id)).toMatchObject({
        status: 'succeeded',
        moderation: { status: 'passed' },
      });
  });

  it('sends a job to the second instance when the first refuses it', async () => {
    first.inject({ kind: 'refuse', status: 503 });
    const id = await create();
    await waitFor(() => second.received.length === 1);
    second.finish();
    expect((await fixture.whenEnded(id)).status).toBe('succeeded');
    expect(first.received).toEqual([]);
  });

  it('sends jobs to the second instance when the first is down, and opens its circuit breaker', async () => {
    await first.stop();
    const jobs = await Promise.all(Array.from({ length: 6 }, () => create()));
    await waitFor(() => second.received.length === jobs.length);
    second.finish();
    for (const id of jobs) expect((await fixture.whenEnded(id)).status).toBe('succeeded');
  });

  it('sends a job that fails at the first instance to no other one', async () => {
    const id = await create();
    await waitFor(() => first.received.length === 1);
    first.end('error');
    const job = await fixture.whenEnded(id);
    expect(job).toMatchObject({ status: 'failed', error: { code: 'provider_error' } });
    await fixture.whenHold(id, 'refunded');
    expect(second.received).toEqual([]);
  });

  const matching = (text: RegExp): string => expect.stringMatching(text) as string;

  it.each<[string, Route[], object]>([
    ['that no instance can run unchanged', routes('local'), { code: 'invalid_body', message: matching(/guidance/) }],
    ['for a model without any instance', routes('gone'), { code: 'capacity' }],
    [
      'for a model without its template, and names no instance and no template',
      [{ provider: 'sharing', template: 'secret-poster', weight: 1 }],
      { code: 'capacity', status: 503, message: expect.not.stringMatching(/sharing|secret-poster/) as string },
    ],
    [
      'that its template cannot run, and names no instance and no template',
      [{ provider: 'sharing', template: 'sdxl-text-to-image', weight: 1 }],
      { code: 'invalid_body', message: matching(/Its workflow makes sides that are multiples of 8\.$/) },
    ],
  ])('refuses a request %s, before anything is reserved', async (_, ofModel, refusal) => {
    fixture.fakes.model = { routes: ofModel };
    await expect(create()).rejects.toMatchObject(refusal);
    expect(fixture.fakes.reserveCalls).toBe(0);
  });

  it.each([
    [
      'the client',
      { url: 'https://127.0.0.1:1/stolen' },
      'loras[0].url: blocked address. Check the address; you were not charged.',
    ],
    ['the catalog', { id: 'stolen' }, 'The provider could not make this output. You were not charged.'],
  ])('fails and refunds a job whose LoRA must not be fetched from an address of %s', async (_whose, lora, message) => {
    fixture.fakes.model = {
      capabilities: { t2i: true, sizes: ['128x128'], loras: 'url' },
      routes: [{ provider: 'sharing', template: 'sdxl-text-to-image', weight: 1 }],
      loras: [{ id: 'stolen', default_strength: 1, url: 'https://127.0.0.1:1/stolen' }],
    };
    const { job } = await fixture.bus.request(jobsRpc.create, {
      kind: 'image.generation',
      account_id: fixture.accountId,
      input: { prompt: 'a calm sea', loras: [lora] },
    });
    expect(await fixture.whenEnded(job.id)).toMatchObject({
      status: 'failed',
      error: { code: 'provider_error', message },
    });
    await fixture.whenHold(job.id, 'refunded');
    const { attempts } = await fixture.bus.request(jobsRpc.show, { job_id: job.id });
    expect(attempts).toMatchObject([
      {
        reason: 'url' in lora ? 'never sent: loras[0].url: blocked address' : 'never sent: a LoRA could not be fetched',
      },
    ]);
  });

  it('reports the problems of instances and of the routes of models', async () => {
    await second.stop();
    const capabilities = { t2i: true, sizes: ['512x512'] };
    const model = { id: 'poster', object: 'model', type: 'image', label: 'Poster', description: null } as const;
    fixture.fakes.listedModels = [
      {
        model: { ...model, capabilities, price: null, license: null },
        enabled: true,
        routes: routes('first', 'local', 'gone'),
      },
      {
        model: { ...model, id: 'clip', type: 'video', capabilities: { i2v: true }, price: null, license: null },
        enabled: true,
        routes: routes('second'),
      },
    ];
    fixture.fakes.videoDecoderProblem = 'There is no ffmpeg at /opt/ffmpeg.';
    const { providers, models } = await fixture.bus.request(jobsRpc.examineProviders, {});
    const byId = Object.fromEntries(providers.map((provider) => [provider.id, provider]));
    expect(byId['first']).toEqual({ id: 'first', type: 'sandbox', state: 'up', problems: [] });
    expect(byId['second']).toMatchObject({ state: 'down', problems: [expect.any(String)] });
    expect(byId['sharing']?.problems).not.toContainEqual(expect.stringContaining(loraDir));
    expect(byId['unmounted']?.problems).toContainEqual(expect.stringContaining(`${loraDir}/gone`));
    expect(models).toEqual([
      {
        id: 'poster',
        providers: ['first', 'local', 'gone'],
        problems: [expect.stringMatching(/^local cannot run .* guidance/), 'There is no instance named gone.'],
      },
      {
        id: 'clip',
        providers: ['second'],
        problems: [
          'It cannot run now: second is down.',
          'It is not offered, because moderation cannot screen videos: There is no ffmpeg at /opt/ffmpeg.',
        ],
      },
    ]);
    expect(first.received).toEqual([]);
  });

  it('shows what marks the pixels on each route, and reports a marker without an address', async () => {
    const model = { id: 'poster', object: 'model', type: 'image', label: 'Poster', description: null } as const;
    const marked = [
      { provider: 'first', weight: 1, marker: 'http' as const },
      { provider: 'sharing', weight: 1, upstream_mark: 'synthid' },
    ];
    const listed = { ...model, capabilities: { t2i: true, sizes: ['512x512'] }, price: null, license: null };
    fixture.fakes.listedModels = [{ model: listed, enabled: true, routes: marked }];

    const { lines } = await fixture.bus.request(jobsAdminRpc.showMarks, {});
    const { models } = await fixture.bus.request(jobsRpc.examineProviders, {});

    expect(lines).toMatchObject([
      { subject: 'Time stamps', state: 'none: KINORA_C2PA_TSA_URL is not set', is_set: false },
      {
        subject: 'Watermarks',
        state: 'poster at first: the marker, fails closed, not set; poster at sharing: synthid of the backend',
        is_set: false,
      },
    ]);
    expect(models[0]?.problems).toContainEqual(expect.stringContaining('KINORA_MARKER_URL is not set'));
  });
});
