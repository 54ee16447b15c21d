import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import { providerServices } from '../conformance/trial.fixtures';
import { ComfyuiSettings, comfyuiType } from './comfyui.provider';
import { FakeComfyui, type FakeComfyuiOptions } from './fake/fake-comfyui.fixtures';
import { SHIPPED_TEMPLATES_DIR } from './load-templates';

const templatesDir = mkdtempSync(path.join(tmpdir(), 'templates-'));
beforeAll(() => {
  // The images of the kit have sides that SDXL would round.
  const name = 'sdxl-text-to-image';
  cpSync(path.join(SHIPPED_TEMPLATES_DIR, `${name}.json`), path.join(templatesDir, 'any-size.json'));
  const map = JSON.parse(readFileSync(path.join(SHIPPED_TEMPLATES_DIR, `${name}.params.json`), 'utf8')) as object;
  writeFileSync(path.join(templatesDir, 'any-size.params.json'), JSON.stringify({ ...map, side_multiple: 1 }));
});
afterAll(() => rmSync(templatesDir, { recursive: true }));

for (const version of ['0.3.75', '0.12.1'] as const)
  describeConformance(`comfyui ${version}`, {
    start: (headers) => start({ version }, headers),
    templates: {
      'image.generation': 'any-size',
      'image.edit': 'qwen-image-edit-2509',
      'video.generation': 'cpu-image-to-video-standin',
    },
    steersNothing: { 'video.generation': { seed: 'The stand-in pans over the image and draws nothing new.' } },
    statusWords: { success: 'succeeded', error: 'failed' },
    requestsFor500: 1,
    capacity: { concurrency: 1, interleaves: false },
    reportProgress: ({ backend }, progress) => (backend as FakeComfyui).report(progress),
    cannot: {
      aborted_at_work: 'The work continues after the request.',
      content_rejected: 'ComfyUI has no content filter.',
      callback_forged: 'ComfyUI sends no callbacks.',
      callback_repeated: 'ComfyUI sends no callbacks.',
    },
  });

async function start(options: FakeComfyuiOptions, headers: Record<string, string>) {
  const backend = new FakeComfyui(options);
  const instance = { id: 'gpu-a', url: await backend.start(), headers, concurrency: 20 };
  const settings = Object.assign(new ComfyuiSettings(), { answer_timeout_ms: 3_000 });
  return { backend, provider: comfyuiType.create(instance, settings, providerServices(templatesDir)) };
}
