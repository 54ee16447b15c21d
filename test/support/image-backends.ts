import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FakeComfyui, FakeFal, FakeOpenAiServer, FakeReplicate, WEBHOOK_SECRET } from '@kinora/compute/fixtures';

const FINISH_EVERY_MS = 50;
const MODELS = { fal: 'fal-ai/flux/dev', replicate: 'black-forest-labs/flux-dev' };
const FIELDS = [
  'prompt: prompt',
  'negative_prompt: negative_prompt',
  'seed: seed',
  'width: size.width',
  'height: size.height',
  'n: num_outputs',
];

/** A backend behind each adapter, which finishes its tasks by itself, and the settings of a stack with a model for each. */
export class ImageBackends {
  private constructor(
    readonly configDir: string,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<ImageBackends> {
    const configDir = await mkdtemp(path.join(os.tmpdir(), 'kinora-backends-'));
    const [comfyui, fal, replicate] = [new FakeComfyui(), new FakeFal(), new FakeReplicate()];
    const openai = await FakeOpenAiServer.start('vllm-omni');
    const backends = [comfyui, openai, fal, replicate];
    await writeSettings(configDir, [
      { type: 'comfyui', url: await comfyui.start() },
      { type: 'openai-images', url: openai.url, dialect: 'vllm-omni' },
      { type: 'fal', url: await fal.start() },
      { type: 'replicate', url: await replicate.start(), webhook_secret: WEBHOOK_SECRET },
    ]);
    const timer = setInterval(() => backends.forEach((backend) => backend.finish()), FINISH_EVERY_MS);
    return new ImageBackends(configDir, async () => {
      clearInterval(timer);
      await Promise.all(backends.map((backend) => backend.stop()));
      await rm(configDir, { recursive: true });
    });
  }
}

/** An entry of providers.yaml, but for what all have alike. */
interface Instance {
  type: string;
  url: string;
  dialect?: string;
  webhook_secret?: string;
}

/** Each backend and its model are called by the type of the adapter. */
async function writeSettings(folder: string, instances: Instance[]): Promise<void> {
  const providers = instances.map((instance) => ({ id: instance.type, concurrency: 2, headers: {}, ...instance }));
  const models = instances.map(({ type: id }) => ({
    ...{ id, type: 'image', label: id, price: { micros: 1, per: 'image' } },
    capabilities: { t2i: true, sizes: ['128x100'], max_n: 1, max_refs: 0 },
    routes: [{ provider: id, template: id === 'comfyui' ? 'cpu-text-to-image-standin' : 'image' }],
  }));
  await writeFile(path.join(folder, 'providers.yaml'), JSON.stringify({ providers }));
  await writeFile(path.join(folder, 'catalog.yaml'), JSON.stringify({ models }));
  for (const [type, model] of Object.entries(MODELS)) {
    await mkdir(path.join(folder, 'templates', type), { recursive: true });
    const template = `model: ${model}\noperations: [image.generation]\nfields: { ${FIELDS.join(', ')} }\n`;
    await writeFile(path.join(folder, 'templates', type, 'image.yaml'), template);
  }
}
