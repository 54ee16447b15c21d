import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ComputeProvider } from '../compute-provider.port';
import { providerServices } from '../conformance/trial.fixtures';
import { type InstanceExamination, examineInstance } from '../examine-instance';
import { ComfyuiSettings, comfyuiType } from './comfyui.provider';
import { FakeComfyui, type FakeComfyuiOptions } from './fake/fake-comfyui.fixtures';

describe('the examination of a ComfyUI server', () => {
  const loraFolder = mkdtempSync(path.join(os.tmpdir(), 'loras-'));
  const loraDir = path.join(loraFolder, 'kinora');
  let fake: FakeComfyui;
  let provider: ComputeProvider;

  beforeEach(() => mkdirSync(loraDir));
  afterEach(async () => {
    await Promise.all([provider.close(), fake.stop()]);
    rmSync(loraDir, { recursive: true });
  });
  afterAll(() => rmSync(loraFolder, { recursive: true }));

  async function examine(
    settings: Partial<ComfyuiSettings>,
    options: FakeComfyuiOptions = {},
    shared: string | null = null,
  ): Promise<InstanceExamination> {
    fake = new FakeComfyui({ loraFolder, ...options });
    const instance = { id: 'gpu-a', url: await fake.start(), headers: {}, concurrency: 2 };
    provider = comfyuiType.create(instance, Object.assign(new ComfyuiSettings(), settings), providerServices());
    return await examineInstance({ provider, type: 'comfyui', loraDir: shared }, ['sdxl-text-to-image']);
  }

  it('names the file of a LoRA that the server lacks', async () => {
    writeFileSync(path.join(loraFolder, 'ink.safetensors'), '');
    const loras = { ink: { file: 'ink.safetensors', low_file: 'low.safetensors' }, wood: { file: 'wood.safetensors' } };
    expect((await examine({ loras })).examination).toMatchObject({
      state: 'degraded',
      problems: [
        'It has no file low.safetensors in models/loras, which loras.ink of providers.yaml names.',
        'It has no file wood.safetensors in models/loras, which loras.wood of providers.yaml names.',
      ],
    });
  });

  it.each([
    ['kinora', false, null],
    ['kinora', true, null],
    [
      'loras/kinora',
      false,
      'in loras/kinora, the shared_lora_subfolder of its folder of LoRAs: shared_lora_subfolder must be kinora.',
    ],
    [
      'loras/kinora',
      true,
      'in loras/kinora, the shared_lora_subfolder of its folder of LoRAs: shared_lora_subfolder must be kinora.',
    ],
    [undefined, false, 'directly in its folder of LoRAs: shared_lora_subfolder must be kinora.'],
  ])(
    'compares the subfolder %s with what the server lists, with a file there: %s',
    async (subfolder, hasFile, problem) => {
      if (hasFile) writeFileSync(path.join(loraDir, 'ab.safetensors'), '');
      const before = readdirSync(loraDir);
      const settings = subfolder === undefined ? {} : { shared_lora_subfolder: subfolder };
      const { examination } = await examine(settings, {}, loraDir);
      const problems = problem === null ? [] : [`It does not see the files of shared_lora_dir ${problem}`];
      expect(examination).toMatchObject({ state: problem === null ? 'up' : 'degraded', problems });
      expect(readdirSync(loraDir)).toEqual(before);
    },
  );

  it('names a folder that the server does not see at all', async () => {
    const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'elsewhere-'));
    const { examination } = await examine({ shared_lora_subfolder: 'kinora' }, {}, elsewhere);
    const place = 'in kinora, the shared_lora_subfolder of its folder of LoRAs';
    expect(examination.problems).toEqual([`It does not see the files of shared_lora_dir ${place}.`]);
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(elsewhere, { recursive: true });
  });

  it('assigns what the server lacks to the templates that need it', async () => {
    const missingModels = ['sd_xl_base_1.0.safetensors'];
    const { templateProblems } = await examine({}, { missingModels });
    expect([...templateProblems]).toEqual([
      ['sdxl-text-to-image', ['It has no file sd_xl_base_1.0.safetensors in models/checkpoints']],
    ]);
  });
});
