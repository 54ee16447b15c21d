import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { probeVideo } from '../fixtures/probe-video.fixtures';
import { TestSandbox } from '../fixtures/test-sandbox.fixtures';
import { type Task } from '../tasks/task';
import { type TaskBody } from '../tasks/task-body';
import { waitFor } from '@kinora/testing';

const DRAWS_A_BYTE = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', () => parentPort.postMessage({ bytes: new Uint8Array(1) }));
`;

describe('sandbox server', () => {
  const sandbox = new TestSandbox();
  beforeAll(() => sandbox.start());
  afterAll(() => sandbox.stop());

  it('reports what it is and what it can do', async () => {
    const { body } = await sandbox.json('/v1/capabilities');
    expect(body).toEqual({
      name: 'sandbox',
      sandbox: true,
      version: expect.any(String),
      operations: ['image.generation', 'image.edit', 'video.generation'],
      formats: ['image/png', 'video/mp4'],
      directives: true,
      concurrency: 1,
      interleaves: true,
    });
    expect((await sandbox.json('/healthz')).status).toBe(200);
  });

  it('draws each output of a task with its own seed, and serves it', async () => {
    const { status, body } = await sandbox.put('two', { prompt: 'a lake at dawn', n: 2, seed: 2_147_483_647 });
    expect(status).toBe(202);
    expect(body).toMatchObject({ id: 'two', outputs: [], error: null, gpu_ms: null });
    const { outputs } = await sandbox.ended('two');
    expect(outputs).toMatchObject([
      { index: 0, mime: 'image/png', width: 96, height: 64, seed: 2_147_483_647 },
      { index: 1, mime: 'image/png', width: 96, height: 64, seed: 0 },
    ]);
    const files = await Promise.all([0, 1].map((index) => sandbox.bytes(`/v1/tasks/two/outputs/${index}`)));
    expect(files.map(({ body: file }) => file.length)).toEqual(outputs.map(({ bytes }) => bytes));
    expect(files[0]?.headers.get('content-type')).toBe('image/png');
    expect(await sharp(files[1]?.body).metadata()).toMatchObject({ format: 'png', width: 96, height: 64 });
    expect(files[0]?.body.equals(files[1]?.body as Buffer)).toBe(false);
    expect((await sandbox.bytes('/v1/tasks/two/outputs/2')).status).toBe(404);
  });

  it('answers a known id with its present state and starts nothing', async () => {
    await sandbox.put('again', { prompt: 'a lake [[fail:error]]' });
    const { status, body } = await sandbox.put('again', { prompt: 'something else' });
    expect(status).toBe(202);
    expect(body).toMatchObject({ state: 'failed', error: { code: 'error' } });
  });

  it('reports many tasks in one answer, and which of them are unknown', async () => {
    await sandbox.put('known', { prompt: 'x [[fail:timeout]]' });
    const { body } = await sandbox.json<{ tasks: Task[]; not_found: string[] }>('/v1/tasks?ids=known,unknown');
    expect(body.tasks.map(({ id, state }) => [id, state])).toEqual([['known', 'running']]);
    expect(body.not_found).toEqual(['unknown']);
    const tooMany = Array.from({ length: 201 }, (_, i) => i).join(',');
    expect((await sandbox.json(`/v1/tasks?ids=${tooMany}`)).status).toBe(400);
  });

  it.each([
    ['a side that is not a number', { prompt: 'x', width: '96' as unknown as number }],
    ['no prompt', {}],
    ['an empty prompt', { prompt: '' }],
    ['an unknown operation', { prompt: 'x', operation: 'video.variation' as 'image.edit' }],
    ['more pixels than the limit', { prompt: 'x', width: 4096, height: 4096 }],
    ['an edit without an image', { prompt: 'x', operation: 'image.edit' as const }],
    ['an image that is not valid', { prompt: 'x', operation: 'image.edit' as const, images: [{ data: 'SGVsbG8=' }] }],
  ])('refuses %s', async (_what, body) => {
    const answer = await sandbox.put('refused', body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_task' } } });
    expect((await sandbox.json('/v1/tasks/refused')).status).toBe(404);
  });

  it('accepts three RGBA images of 2048×2048 that compression did not make smaller', async () => {
    const channels = 4;
    const blank = sharp({
      create: { width: 2048, height: 2048, channels, background: { r: 9, g: 9, b: 9, alpha: 0.5 } },
    });
    const data = (await blank.png({ compressionLevel: 0 }).toBuffer()).toString('base64');
    const edit = {
      prompt: 'x [[fail:error]]',
      operation: 'image.edit' as const,
      images: [{ data }, { data }, { data }],
    };
    expect((await sandbox.put('large', edit)).status).toBe(202);
  });

  describe('videos', () => {
    const video = { operation: 'video.generation' as const, prompt: '', duration: 0.5, fps: 24 };
    let images: { data: string }[];
    beforeAll(async () => {
      const image = sharp({ create: { width: 96, height: 64, channels: 3, background: '#2a6f97' } });
      images = [{ data: (await image.jpeg().toBuffer()).toString('base64') }];
    });

    it('are made of a start frame, need no prompt, and accept LoRAs without effect', async () => {
      const loras = [{ url: 'https://example.com/a', low_url: 'https://example.com/b', strength: 1 }];
      expect((await sandbox.put('video', { ...video, images, loras })).status).toBe(202);
      const { outputs } = await sandbox.ended('video');
      const { headers, body } = await sandbox.bytes('/v1/tasks/video/outputs/0');
      const entry = { index: 0, mime: 'video/mp4', width: 96, height: 64, seed: 7, duration: 0.5, fps: 24 };
      expect(outputs).toEqual([{ ...entry, bytes: body.length }]);
      expect(headers.get('content-type')).toBe('video/mp4');
      expect(await probeVideo(body)).toMatchObject({ codec: 'avc', width: 96, height: 64, duration: 0.5, fps: 24 });
    });

    it.each([
      ['no start frame', { images: [] }],
      ['two start frames', { images: [0, 1] }],
      ['an odd width', { width: 97 }],
      ['no duration', { duration: undefined }],
      ['a duration of zero', { duration: 0 }],
      ['an invalid frame rate', { fps: 61 }],
      ['several outputs', { n: 2 }],
    ])('are refused with %s', async (_what, changes) => {
      const chosen = 'images' in changes ? changes.images.map(() => images[0]!) : images;
      const answer = await sandbox.put('refused', { ...video, ...changes, images: chosen } as Partial<TaskBody>);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_task' } } });
    });

    it('stop when they are canceled, and do not delay other tasks', async () => {
      await sandbox.put('film', { ...video, images, duration: 60 });
      const canceled = await sandbox.json('/v1/tasks/film', { method: 'DELETE' });
      expect(canceled.body).toEqual({ state: 'canceled', stopped: true });
      await sandbox.put('next', { ...video, images });
      expect((await sandbox.ended('next')).state).toBe('succeeded');
    });

    it('obey the directives', async () => {
      await sandbox.put('bad-film', { ...video, images, prompt: '[[delay:20ms]] [[fail:corrupt]]' });
      const { outputs } = await sandbox.ended('bad-film');
      expect(outputs).toMatchObject([{ mime: 'video/mp4', duration: 0.5 }]);
      const { body } = await sandbox.bytes('/v1/tasks/bad-film/outputs/0');
      expect(await probeVideo(body)).toMatchObject({ codec: undefined, frames: undefined });
      await sandbox.put('no-film', { ...video, images, prompt: '[[fail:error]]' });
      expect(await sandbox.ended('no-film')).toMatchObject({ state: 'failed', error: { code: 'error' } });
    });
  });

  it('refuses an id that is not valid', async () => {
    expect((await sandbox.put('a.b', { prompt: 'x' })).status).toBe(400);
    expect((await sandbox.put('x'.repeat(65), { prompt: 'x' })).status).toBe(400);
  });

  it('cancels a running task, and reports it', async () => {
    await sandbox.put('slow', { prompt: 'x [[delay:60s]]' });
    const canceled = await sandbox.json('/v1/tasks/slow', { method: 'DELETE' });
    expect(canceled.body).toEqual({ state: 'canceled', stopped: true });
    expect(await sandbox.ended('slow')).toMatchObject({ state: 'canceled', outputs: [] });
    const again = await sandbox.json('/v1/tasks/slow', { method: 'DELETE' });
    expect(again.body).toEqual({ state: 'canceled', stopped: false });
    expect((await sandbox.json('/v1/tasks/never', { method: 'DELETE' })).status).toBe(404);
  });

  it('has no tasks after a restart', async () => {
    const first = new TestSandbox();
    await first.start();
    await first.put('kept', { prompt: 'x [[fail:timeout]]' });
    await first.stop();
    const second = new TestSandbox();
    await second.start();
    const answer = await second.json('/v1/tasks/kept');
    await second.stop();
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('is not healthy while the drawing threads die at their start, until one has drawn', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kinora-sandbox-'));
    const file = path.join(folder, 'thread.js');
    await writeFile(file, 'process.exit(1);');
    const unhealthy = new TestSandbox({ file });
    await unhealthy.start();
    const health = async (): Promise<number> => (await unhealthy.json('/healthz')).status;
    expect(await health()).toBe(200);
    let count = 0;
    const draws = async (): Promise<boolean> => {
      const id = `drawing-${(count += 1)}`;
      await unhealthy.put(id, { prompt: 'a lake' });
      return (await unhealthy.ended(id)).state === 'succeeded';
    };
    // The threads start with the first drawing.
    expect(await draws()).toBe(false);
    await waitFor(async () => (await health()) === 503);
    await writeFile(file, DRAWS_A_BYTE);
    await waitFor(draws);
    expect(await health()).toBe(200);
    await unhealthy.stop();
    await rm(folder, { recursive: true });
  });

  describe('directives', () => {
    it('delay a task, which counts as running meanwhile and does not delay others', async () => {
      const { body } = await sandbox.put('delayed', { prompt: 'x [[delay:60s]]' });
      expect(body.state).toBe('running');
      await sandbox.put('prompt', { prompt: 'a lake' });
      expect((await sandbox.ended('prompt')).state).toBe('succeeded');
      expect((await sandbox.json<Task>('/v1/tasks/delayed')).body.state).toBe('running');
    });

    it('hold no render slot while they delay a task or let it hang, and the task reports that', async () => {
      await sandbox.put('waiting', { prompt: 'x [[delay:60s]]' });
      await sandbox.put('hanging', { prompt: 'x [[delay:20ms]] [[fail:timeout]]' });
      await sandbox.put('drawing', { prompt: 'x [[delay:20ms]]', width: 1024, height: 1024, n: 4 });
      const parked = async (id: string): Promise<boolean> => (await sandbox.json<Task>(`/v1/tasks/${id}`)).body.parked;
      await waitFor(async () => !(await parked('drawing')));
      expect([await parked('waiting'), await parked('hanging')]).toEqual([true, true]);
      await sandbox.json('/v1/tasks/waiting', { method: 'DELETE' });
      expect(await parked('waiting')).toBe(false);
      await sandbox.json('/v1/tasks/drawing', { method: 'DELETE' });
    });

    it('combine: first the delay, then the failure', async () => {
      const { body } = await sandbox.put('later', { prompt: '[[delay:50ms]] x [[fail:error]]' });
      expect(body.state).toBe('running');
      expect(await sandbox.ended('later')).toMatchObject({ state: 'failed', error: { code: 'error' } });
    });

    it('refuse for lack of capacity, every time', async () => {
      for (const id of ['full', 'full', 'fuller']) {
        const { status, headers, body } = await sandbox.put(id, { prompt: 'x [[fail:capacity]]' });
        expect([status, headers.get('retry-after'), body.error?.code]).toEqual([503, '1', 'capacity']);
      }
    });

    it('lose a task that was accepted', async () => {
      expect((await sandbox.put('lost', { prompt: 'x [[fail:lost]]' })).status).toBe(202);
      expect((await sandbox.json('/v1/tasks/lost')).status).toBe(404);
      await sandbox.put('lost-later', { prompt: 'x [[delay:30ms]] [[fail:lost]]' });
      await waitFor(async () => (await sandbox.json('/v1/tasks/lost-later')).status === 404);
    });

    it('return bytes that are not an image', async () => {
      await sandbox.put('corrupt', { prompt: 'x [[fail:corrupt]]' });
      const { outputs } = await sandbox.ended('corrupt');
      const { body } = await sandbox.bytes('/v1/tasks/corrupt/outputs/0');
      expect(body.length).toBe(outputs[0]?.bytes);
      await expect(sharp(body).raw().toBuffer()).rejects.toThrow();
    });

    it('change nothing else: the prompt is drawn as if they were not there', async () => {
      await sandbox.put('with', { prompt: '[[delay:10ms]] a red sunset' });
      await sandbox.put('without', { prompt: 'a red sunset' });
      await Promise.all([sandbox.ended('with'), sandbox.ended('without')]);
      const one = await sandbox.bytes('/v1/tasks/with/outputs/0');
      const other = await sandbox.bytes('/v1/tasks/without/outputs/0');
      expect(one.body.equals(other.body)).toBe(true);
    });
  });

  it('accepts 5,000 delayed tasks within seconds of processor time', async () => {
    const ids = Array.from({ length: 5_000 }, (_, i) => `bulk-${i}`);
    const before = process.cpuUsage();
    for (let start = 0; start < ids.length; start += 100) {
      const batch = ids.slice(start, start + 100);
      const answers = await Promise.all(batch.map((id) => sandbox.put(id, { prompt: 'x [[delay:600s]]' })));
      expect(answers.every(({ status }) => status === 202)).toBe(true);
    }
    const { user, system } = process.cpuUsage(before);
    // A generous limit: it takes below three seconds, and other processes use this machine too.
    expect((user + system) / 1_000_000).toBeLessThan(30);
    const { body } = await sandbox.json<{ tasks: Task[] }>(`/v1/tasks?ids=${ids.slice(-200).join(',')}`);
    expect(body.tasks.filter(({ state }) => state === 'running')).toHaveLength(200);
  }, 240_000);
});
