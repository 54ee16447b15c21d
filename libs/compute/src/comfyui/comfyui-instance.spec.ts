import { type ManualClock, waitFor } from '@kinora/testing';
import { IMAGE } from '../conformance/files.fixtures';
import type { ComputeProvider, ImageTask, SubmitOutcome, UpstreamStatus } from '../compute-provider.port';
import { providerServices } from '../conformance/trial.fixtures';
import { ComfyuiSettings, comfyuiType } from './comfyui.provider';
import { FakeComfyui, type FakeComfyuiOptions } from './fake/fake-comfyui.fixtures';

const TASK: ImageTask = {
  id: 'job-1',
  model: 'a-model',
  template: 'sdxl-text-to-image',
  operation: 'image.generation',
  prompt: 'a lighthouse',
  negativePrompt: 'child',
  width: 128,
  height: 64,
  seed: 7,
  n: 1,
  loras: [],
  images: [],
};

const FIRST_RETRY_MS = 1_000;

let fake: FakeComfyui;
let provider: ComputeProvider;
let clock: ManualClock;

async function start(options: FakeComfyuiOptions = {}, settings: Partial<ComfyuiSettings> = {}): Promise<void> {
  fake = new FakeComfyui(options);
  const instance = {
    id: 'gpu-a',
    url: `${await fake.start()}`,
    headers: { authorization: 'Bearer x' },
    concurrency: 4,
  };
  const services = providerServices();
  clock = services.clock;
  provider = comfyuiType.create(instance, Object.assign(new ComfyuiSettings(), settings), services);
}

afterEach(async () => {
  await provider.close();
  await fake.stop();
});

function submit(task: Partial<ImageTask> = {}): Promise<SubmitOutcome> {
  return provider.submit({ ...TASK, ...task }, { signal: AbortSignal.timeout(10_000), onRunning: () => undefined });
}

async function statusOf(id: string = TASK.id): Promise<UpstreamStatus | undefined> {
  return (await provider.statuses([{ id, ref: null }])).get(id);
}

function countRequests(line: RegExp): number {
  return fake.requests.filter(({ method, path }) => line.test(`${method} ${path}`)).length;
}

describe('a ComfyUI instance', () => {
  it('fetches real images of the requested size, and deletes their history entry', async () => {
    await start();
    expect(await submit({ n: 2 })).toEqual({ kind: 'accepted', ref: null, isRunning: false });
    fake.finish();
    const status = await statusOf();
    if (status?.state !== 'succeeded') throw new Error(`Ended as ${status?.state}`);
    const [first] = await Promise.all(status.outputs.map((fetchOutput) => fetchOutput()));
    expect(status.outputs).toHaveLength(2);
    expect([first?.readUInt32BE(16), first?.readUInt32BE(20)]).toEqual([128, 64]);
    expect(await provider.cancel({ id: TASK.id, ref: null })).toBe('too_late');
    await provider.forget?.({ id: TASK.id, ref: null });
    expect(fake.prompts.history.size).toBe(0);
  });

  it('reports not_found after the server restarted, and unreachable before', async () => {
    await start();
    await submit();
    fake.begin();
    await fake.stop();
    expect((await statusOf())?.state).toBe('unreachable');
    fake.restart();
    await fake.start();
    fake.requests.length = 0;
    expect((await statusOf())?.state).toBe('not_found');
    expect([countRequests(/queue/), countRequests(/history/)]).toEqual([2, 2]);
  });

  it('uses other names for each attempt', async () => {
    await start();
    for (const id of ['job-1', 'job-2']) await submit({ id, template: 'qwen-image-edit-2509', images: [IMAGE] });
    const [one, other] = fake.graphs.map((graph) => JSON.stringify(graph));
    expect(one?.match(/jobs\/[0-9a-f-]{36}/g)).toHaveLength(2);
    expect(other).not.toBe(one);
    expect(new Set([one, other].flatMap((graph) => graph?.match(/jobs\/[0-9a-f-]{36}/g) ?? [])).size).toBe(2);
  });

  it('requests free memory after an out-of-memory error, and reports a transient failure', async () => {
    await start();
    await submit();
    fake.end('out_of_memory');
    expect(await statusOf()).toMatchObject({ state: 'failed', failure: { kind: 'transient' } });
    await waitFor(() => countRequests(/POST \/free/) === 1);
  });

  it('reports a missing model file as transient', async () => {
    await start({ missingModels: ['sd_xl_base_1.0.safetensors'] });
    expect(await submit()).toMatchObject({
      kind: 'failed',
      failure: { kind: 'transient', reason: 'value_not_in_list at CheckpointLoaderSimple.ckpt_name' },
    });
    expect((await provider.probe()).problems).toEqual([
      'It has no file sd_xl_base_1.0.safetensors in models/checkpoints, which sdxl-text-to-image needs.',
    ]);
  });

  it('probes its configured templates', async () => {
    await start({ missingModels: ['sd_xl_base_1.0.safetensors'] }, { templates: ['flux-dev-text-to-image'] });
    expect(await provider.probe()).toMatchObject({ state: 'up', version: '0.12.1', freeSlots: 4 });
    expect(provider.findUnsupported({ ...TASK, imageCount: 0 })).toBe('There is no template sdxl-text-to-image.');
  });

  it('probes the templates that only routes of the catalog name', async () => {
    await start({ missingModels: ['sd_xl_base_1.0.safetensors'] });
    expect(await provider.probe()).toMatchObject({ state: 'up', problems: [] });
    expect((await provider.probe(['sdxl-text-to-image'])).problems).toEqual([
      'It has no file sd_xl_base_1.0.safetensors in models/checkpoints, which sdxl-text-to-image needs.',
    ]);
  });

  it('is refused with a template that does not exist', async () => {
    await start();
    const instance = { id: 'gpu-b', url: 'http://127.0.0.1:1', headers: {}, concurrency: 1 };
    const settings = Object.assign(new ComfyuiSettings(), { templates: ['flux'] });
    expect(() => comfyuiType.create(instance, settings, providerServices())).toThrow(
      'templates: there is no template flux; there are flux-dev-text-to-image, sdxl-text-to-image, qwen-image-edit-2509, ' +
        'cpu-image-edit-standin, cpu-text-to-image-standin and 2 more',
    );
  });

  it("finds a catalog LoRA's file by its id", async () => {
    await start({}, { loras: { woodcut: { file: 'style/woodcut.safetensors' } } });
    await submit({ loras: [{ id: 'woodcut', strength: 0.8 }] });
    expect(JSON.stringify(fake.graphs[0])).toContain('"lora_name":"style/woodcut.safetensors","strength_model":0.8');
  });
});

describe('a submission to a server', () => {
  it('names a shared LoRA file by its path in the folder of LoRAs', async () => {
    await start({}, { shared_lora_subfolder: 'kinora' });
    await submit({ loras: [{ url: 'https://loras.example/a.safetensors', file: 'ab12.safetensors', strength: 1 }] });
    expect(JSON.stringify(fake.graphs[0])).toContain('"lora_name":"kinora/ab12.safetensors"');
  });

  it('sends texts in extra_data where the graph has no place for them', async () => {
    await start();
    await submit({ template: 'cpu-text-to-image-standin', prompt: 'say "|" 🦊' });
    expect(JSON.stringify(fake.graphs[0])).not.toContain('🦊');
    expect(fake.received[0]).toMatchObject({ prompt: 'say "|" 🦊', negativePrompt: TASK.negativePrompt });
  });
});

describe('the capacity', () => {
  it('is one prompt, or none while the server has prompts of other clients', async () => {
    await start();
    await submit();
    expect(await provider.readCapacity?.()).toEqual({ concurrency: 1, interleaves: false });
    fake.prompts.push('of-another-client', {}, {}, []);
    expect(await provider.readCapacity?.()).toEqual({ concurrency: 0, interleaves: false });
    await fake.stop();
    await expect(provider.readCapacity?.()).rejects.toThrow();
    await fake.start();
  });
});

describe('a cancel', () => {
  it('never stops another prompt on a server that has only global interrupts', async () => {
    await start({ version: '0.3.50' });
    await submit({ id: 'other' });
    fake.begin();
    await submit();
    expect(await provider.cancel({ id: TASK.id, ref: null })).toBe('stopped');
    expect((await statusOf('other'))?.state).toBe('running');
    expect(await provider.cancel({ id: 'other', ref: null })).toBe('stopped');
    expect(fake.globalInterrupts).toBe(1);
  });

  it('keeps the times of the prompt in the history until `forget`', async () => {
    await start();
    await submit();
    fake.begin();
    expect(await provider.cancel({ id: TASK.id, ref: null })).toBe('stopped');
    expect(await statusOf()).toEqual({ state: 'canceled', gpuMs: expect.any(Number) as number });
    await provider.forget?.({ id: TASK.id, ref: null });
    expect(await statusOf()).toEqual({ state: 'not_found' });
  });

  it('distinguishes a stopped prompt from one that had ended before', async () => {
    await start();
    await submit();
    fake.begin();
    expect(await provider.cancel({ id: TASK.id, ref: null })).toBe('stopped');
    await submit({ id: 'job-2' });
    fake.finish();
    expect(await provider.cancel({ id: 'job-2', ref: null })).toBe('too_late');
  });
});

describe('hints', () => {
  it('arrive when a prompt begins and when the history has its end, over one socket with the headers of the instance', async () => {
    await start();
    const hints: (string | undefined)[][] = [];
    provider.onHint?.((taskId) => {
      const { running, history } = fake.prompts;
      hints.push([taskId, running ? 'running' : history.size > 0 ? 'ended' : undefined]);
    });
    await submit();
    await waitFor(() => fake.sockets.count === 1);
    fake.begin();
    await waitFor(() => hints.length === 1);
    fake.finish();
    await waitFor(() => hints.length === 2);
    expect(hints).toEqual([
      [TASK.id, 'running'],
      [TASK.id, 'ended'],
    ]);
    const [handshake] = fake.requests.filter(({ path }) => path.startsWith('/ws'));
    expect(handshake?.headers).toMatchObject({ authorization: 'Bearer x' });
    expect(handshake?.headers).not.toHaveProperty('origin');
  });

  it('arrive again after the server was restarted', async () => {
    await start();
    const hints: string[] = [];
    provider.onHint?.((taskId) => hints.push(taskId));
    await submit();
    await waitFor(() => fake.sockets.count === 1);
    await fake.stop();
    fake.restart();
    await fake.start();
    await waitFor(() => {
      clock.advance(FIRST_RETRY_MS);
      return fake.sockets.count === 1;
    });
    expect((await submit({ id: 'job-2' })).kind).toBe('accepted');
    fake.begin();
    await waitFor(() => hints.includes('job-2'));
  });
});
