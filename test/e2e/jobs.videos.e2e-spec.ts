import { readFile } from 'node:fs/promises';
import { FakeComfyui } from '@kinora/compute/fixtures';
import { HttpsReceiver, RECEIVER_AUTHORITY_FILE, imagesOf, videoOf, waitFor } from '@kinora/testing';
import type { Job, JobList } from '@kinora/contracts/jobs/job';
import type { WebhookEvent } from '@kinora/contracts/jobs/webhook-event';
import sharp, { type Sharp } from 'sharp';
import { type Answer, type ApiClient, type ErrorBody, download } from '../support/api-client';
import { assertDescribedWebhook } from '../support/described-answers';
import { LocalStack } from '../support/local-stack';
import { openAccount } from '../support/operator';
import { framesOf, meanDifference, probeVideo } from '../support/video-probe';

const TEST_IMAGE = 'apps/moderation/assets/moderation-test.png';
const MICROS_A_SECOND = 50_000;
/** Four bytes of UTF-8. */
const WIDE = '\u{1f3ac}';

/** Four fields of colour, small enough to be animated in a second or two. */
async function fields(width: number, height: number): Promise<Sharp> {
  const colours = ['#c03020', '#20a040', '#2040c0', '#e0c020'];
  const [half, quarter] = [Math.floor(width / 2), Math.floor(height / 2)];
  const tiles = colours.map((background, index) => ({
    input: { create: { width: half, height: quarter, channels: 3 as const, background } },
    left: (index % 2) * half,
    top: Math.floor(index / 2) * quarter,
  }));
  const canvas = sharp({ create: { width, height, channels: 3, background: '#000000' } });
  return sharp(await canvas.composite(tiles).removeAlpha().png().toBuffer());
}

function toDataUri(image: Buffer): string {
  return `data:image/png;base64,${image.toString('base64')}`;
}

const CATALOG = `models:
  - id: clip
    type: video
    label: Clip
    capabilities: { i2v: true, durations: [5], fps: 8, max_refs: 1 }
    price: { micros: 1, per: second }
    output_frame: { max_pixels: 399360, side_multiple: 16 }
    routes: [{ provider: gpu-a, template: cpu-image-to-video-standin }]
  - id: colour
    type: image
    label: Colour
    capabilities: { t2i: true, sizes: [512x512], max_n: 4, max_refs: 0 }
    price: { micros: 1, per: image }
    routes: [{ provider: gpu-a, template: cpu-text-to-image-standin }]
`;

describe('videos, end to end', () => {
  let stack: LocalStack;
  let receiver: HttpsReceiver;
  let client: ApiClient;
  const comfyui = new FakeComfyui();

  beforeAll(async () => {
    const instance = { id: 'gpu-a', type: 'comfyui', url: await comfyui.start(), concurrency: 2 };
    receiver = await HttpsReceiver.start();
    stack = await LocalStack.start({
      env: { KINORA_EGRESS_ALLOW: `127.0.0.1:${receiver.port}`, NODE_EXTRA_CA_CERTS: RECEIVER_AUTHORITY_FILE },
      config: { 'providers.yaml': { providers: [instance] }, 'catalog.yaml': CATALOG },
    });
    ({ client } = await openAccount(stack));
  }, 120_000);

  afterAll(async () => {
    await stack.stop();
    await receiver.close();
    await comfyui.stop();
  });

  let small: string;
  beforeAll(async () => {
    small = toDataUri(await (await fields(96, 64)).toBuffer());
  });

  const animate = (body: object): Promise<Answer<Job>> => client.post<Job>('/videos/generations', body);
  const refused = (body: object): Promise<Answer> => client.post<ErrorBody>('/videos/generations', body);

  it('serves the output of ComfyUI, in the High profile of H.264, without a decoder of the host', async () => {
    expect(stack.output).toContain('gpu-a (comfyui)');
    comfyui.clip = await readFile('libs/videos/recordings/h264-high-5s.mp4');
    const image = toDataUri(await (await fields(128, 96)).toBuffer());
    const { status, body: accepted } = await animate({ model: 'clip', image });
    expect(status).toBe(202);
    await waitFor(() => comfyui.workingCount === 1);
    comfyui.finish();
    const job = await client.ended(accepted.id, 60_000);
    expect(job).toMatchObject({ status: 'succeeded', error: null, moderation: { status: 'passed' } });
    expect(videoOf(job)).toMatchObject({ width: 128, height: 96, duration: 5, fps: 8 });
  });

  it('reports a seed for each of several images, with which ComfyUI draws that image', async () => {
    const body = { model: 'colour', prompt: 'three colours', n: 3, seed: 7 };
    const { body: accepted } = await client.post<Job>('/images/generations', body);
    await waitFor(() => comfyui.workingCount === 1);
    const graph = comfyui.graphs.at(-1) ?? {};
    comfyui.finish();
    const job = await client.ended(accepted.id, 60_000);
    expect(imagesOf(job).map(({ seed }) => seed)).toEqual([7, 8, 9]);
    const drawn = Object.values(graph).filter(({ class_type: name }) => name === 'EmptyImage');
    expect(drawn.map(({ inputs }) => [inputs['color'], inputs['batch_size']])).toEqual([
      [7, 1],
      [8, 1],
      [9, 1],
    ]);
  });

  it('lists a hundred of the largest jobs in pages that fit into a message, each job once', async () => {
    const { client: lister } = await openAccount(stack, { balance_micros: 100_000_000 });
    const loraUrl = `https://loras.example/${WIDE.repeat(2_048 - 34)}.safetensors`;
    // Control characters have the longest JSON form on the bus.
    const body = {
      image: small,
      prompt: `[[delay:55s]]${'\u0001'.repeat(1_487)}`,
      negative_prompt: '\u0001'.repeat(1_000),
      loras: [1, 2, 3].map(() => ({ url: loraUrl, low_url: loraUrl })),
      metadata: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`${10 + index}`, '\u0001'.repeat(256)])),
    };
    const created: string[] = [];
    for (let count = 0; count < 100; count += 10) {
      const answers = Array.from({ length: 10 }, () => lister.post<Job>('/videos/generations', body));
      for (const answer of await Promise.all(answers)) {
        expect(answer.status).toBe(202);
        created.push(answer.body.id);
      }
    }
    const seen: string[] = [];
    for (let query = 'limit=100', pages = 1; query !== ''; pages++) {
      const { status, body: page } = await lister.get<JobList>(`/jobs?${query}`);
      expect({ pages, status, hasJobs: page.data.length > 0 }).toEqual({ pages, status: 200, hasJobs: true });
      if (pages === 1) expect(page.has_more).toBe(true);
      seen.push(...page.data.map(({ id }) => id));
      query = page.next_cursor === null ? '' : `limit=100&cursor=${page.next_cursor}`;
    }
    expect(seen).toHaveLength(100);
    expect(new Set(seen)).toEqual(new Set(created));
    await Promise.all(created.map((id) => lister.post(`/jobs/${id}/cancel`)));
  }, 120_000);

  it('animates an image to an MP4 of its size, charged by the second, with a webhook', async () => {
    const before = await client.balanceMicros();
    const webhook_url = `https://127.0.0.1:${receiver.port}/hook`;
    const startFrame = await fields(320, 192);
    const image = toDataUri(await startFrame.toBuffer());
    const { status, body: accepted } = await animate({ image, prompt: 'pan to the left', seed: 7, webhook_url });
    expect(status).toBe(202);
    expect(accepted).toMatchObject({
      kind: 'video.generation',
      model: 'image-to-video',
      usage: { charged_micros: 5 * MICROS_A_SECOND },
    });
    expect(accepted.input).toEqual({
      prompt: 'pan to the left',
      model: 'image-to-video',
      image: { sha256: expect.any(String) as string, width: 320, height: 192, mime: 'image/png' },
      size: '320x192',
      duration: 5,
      seed: 7,
    });
    expect(await client.balanceMicros()).toBe(before - 5 * MICROS_A_SECOND);

    const done = await client.ended(accepted.id, 60_000);
    expect(done).toMatchObject({ status: 'succeeded', moderation: { status: 'passed' } });
    const { url, ...video } = videoOf(done);
    const file = await download(url);
    const facts = { duration: 5, fps: 24, width: 320, height: 192 };
    expect(video).toEqual({ mime: 'video/mp4', ...facts, bytes: file.length });
    expect(await probeVideo(file)).toEqual({ codec: 'avc', ...facts });
    expect(await client.balanceMicros()).toBe(before - 5 * MICROS_A_SECOND);

    const frames = (await framesOf(file)).map(({ rgb }) => rgb);
    const [first, last] = [frames[0] as Buffer, frames.at(-1) as Buffer];
    expect(meanDifference(first, await startFrame.raw().toBuffer())).toBeLessThan(6);
    expect(meanDifference(first, last)).toBeGreaterThan(12);

    const [sent] = await waitFor(() => receiver.requests.length > 0 && receiver.requests);
    const event = JSON.parse(sent?.body.toString() ?? '') as WebhookEvent;
    assertDescribedWebhook(sent?.headers ?? {}, event);
    const { type, data } = event;
    expect(type).toBe('job.succeeded');
    expect(videoOf(data.object)).toMatchObject(video);
    expect(await download(videoOf(data.object).url)).toEqual(file);

    const part = await fetch(url ?? '', { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-type'), await part.text()]).toEqual([206, 'video/mp4', 'ftyp']);
  });

  it('makes eight seconds of an upright image, and the same pictures for the same request', async () => {
    // Lies on its side with an EXIF orientation: rotated by 90° it is upright.
    const lying = await (await fields(160, 96)).withMetadata({ orientation: 6 }).toBuffer();
    const request = { image: toDataUri(lying), duration: 8, seed: 1 };
    const accepted = await Promise.all([animate(request), animate(request)]);
    const jobs = await Promise.all(accepted.map(({ body }) => client.ended(body.id, 60_000)));
    const files = await Promise.all(jobs.map((job) => download(videoOf(job).url)));
    expect(await probeVideo(files[0] as Buffer)).toMatchObject({ width: 96, height: 160, duration: 8, fps: 24 });
    expect(await framesOf(files[0] as Buffer)).toEqual(await framesOf(files[1] as Buffer));
    expect(jobs[0]).toMatchObject({ input: { duration: 8 }, usage: { charged_micros: 8 * MICROS_A_SECOND } });
  });

  it('simulates errors as failed jobs that are not charged', async () => {
    const before = await client.balanceMicros();
    const codes = [
      ['[[fail:error]]', 'provider_error'],
      ['[[fail:corrupt]]', 'invalid_output'],
      ['[[output:blocked]]', 'content_blocked_output'],
    ] as const;
    await Promise.all(
      codes.map(async ([prompt, code]) => {
        const { body } = await animate({ image: small, prompt });
        expect(await client.ended(body.id, 60_000)).toMatchObject({
          status: 'failed',
          output: null,
          error: { code },
          usage: { charged_micros: 0 },
          moderation: { status: code === 'content_blocked_output' ? 'blocked' : 'passed' },
        });
      }),
    );
    await waitFor(async () => (await client.balanceMicros()) === before);
  });

  it('refuses invalid requests, and reserves nothing for them', async () => {
    const before = await client.balanceMicros();
    const image = small;
    const blocked = toDataUri(await readFile(TEST_IMAGE));
    const refusals: [object, number, string, string][] = [
      [{ image, model: 'general-image' }, 404, 'model_unavailable', 'model'],
      [{ image: 'broken', model: 'nobody' }, 404, 'model_unavailable', 'model'],
      [{ image, negative_prompt: 'kinora-moderation-test-block' }, 422, 'content_blocked_prompt', 'negative_prompt'],
      [{ image: blocked }, 422, 'content_blocked_input', 'image'],
    ];
    for (const [body, status, code, param] of refusals) {
      const answer = await refused(body);
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([status, code, param]);
    }
    expect(await client.balanceMicros()).toBe(before);
  });
});
