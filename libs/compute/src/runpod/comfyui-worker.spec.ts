import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLIP, IMAGE } from '../conformance/files.fixtures';
import { withAgeSafetyTerms } from '../instance-definition';
import { countFiles, runGraph, savingNodes, sketchGraph } from '../comfyui/fake/run-graph.fixtures';
import type { Graph } from '../comfyui/graph';
import { SHIPPED_TEMPLATES_DIR } from '../comfyui/load-templates';
import type { ImageTask } from '../compute-provider.port';
import { describeConformance } from '../conformance/describe-conformance.fixtures';
import type { HostedTask } from '../hosted-model/fake-model-host.fixtures';
import type { ModelInput } from '../hosted-model/received-input.fixtures';
import { comfyuiWorker } from './comfyui-worker';
import { RunpodSettings } from './runpod-settings';
import { ENDPOINT, startEndpoint } from './runpod-harness.fixtures';

interface WorkerInput {
  workflow: Graph;
  images?: { name: string; image: string }[];
}

/** The model input in the graph and the images beside it. */
function readWorkerInput(input: object): ModelInput {
  const { workflow, images = [] } = input as WorkerInput;
  const { width, height, seed, uploads } = sketchGraph(workflow);
  const textAt = (title: string): string => {
    const node = Object.values(workflow).find(({ _meta: meta }) => meta?.title === title);
    return (node?.inputs['text'] ?? node?.inputs['prompt']) as string;
  };
  return {
    prompt: textAt('PROMPT_POSITIVE'),
    negative_prompt: textAt('PROMPT_NEGATIVE'),
    seed,
    size: { width, height },
    num_outputs: countFiles(workflow),
    images: uploads.map((upload) => images.find(({ name }) => name === upload)?.image ?? 'not sent'),
  };
}

/** The images of the graph, as the server behind the worker would make them. */
function draw({ body }: HostedTask): Buffer[] {
  const { workflow } = body['input'] as WorkerInput;
  return savingNodes(workflow).flatMap((output) => runGraph(workflow, output, () => CLIP));
}

/** The output format of the worker: its files in the order of execution, and errors for missing ones. */
function toWorkerOutput(urls: string[], { problem }: HostedTask): object {
  const toName = (index: number): string => (index === 0 ? 'out_00001_.png' : `out-${index + 1}_00001_.png`);
  const images = urls.map((data, index) => ({ filename: toName(index), type: 's3_url', data })).reverse();
  return problem === 'partial' ? { images, errors: ['Failed to fetch image data for out_1.png'] } : { images };
}

const templatesDir = mkdtempSync(path.join(tmpdir(), 'templates-'));
beforeAll(() => {
  // The images of the kit have sides that these models would round.
  for (const [name, copy] of [
    ['sdxl-text-to-image', 'any-picture'],
    ['wan22-14b-image-to-video', 'any-video'],
  ] as const) {
    cpSync(path.join(SHIPPED_TEMPLATES_DIR, `${name}.json`), path.join(templatesDir, `${copy}.json`));
    const map = JSON.parse(readFileSync(path.join(SHIPPED_TEMPLATES_DIR, `${name}.params.json`), 'utf8')) as object;
    writeFileSync(path.join(templatesDir, `${copy}.params.json`), JSON.stringify({ ...map, side_multiple: 1 }));
  }
});
afterAll(() => rmSync(templatesDir, { recursive: true }));

describeConformance('runpod with worker-comfyui', {
  ...ENDPOINT,
  start: async (headers) => {
    const subject = await startEndpoint('comfyui', templatesDir, headers);
    subject.backend.readInput = readWorkerInput;
    subject.backend.shapeOutput = toWorkerOutput;
    subject.backend.draw = draw;
    return subject;
  },
  templates: {
    'image.generation': 'any-picture',
    'image.edit': 'qwen-image-edit-2509',
    'video.generation': 'any-video',
  },
});

describe('the payload of worker-comfyui', () => {
  const loras = { ink: { file: 'ink.safetensors' } };
  const worker = comfyuiWorker(Object.assign(new RunpodSettings(), { loras }), null);
  const task: ImageTask = {
    id: 'x-1',
    operation: 'image.edit',
    model: 'm',
    template: 'qwen-image-edit-2509',
    prompt: 'make it night',
    negativePrompt: withAgeSafetyTerms(undefined),
    width: 640,
    height: 480,
    seed: 7,
    n: 1,
    loras: [],
    images: [IMAGE],
  };
  const unsupported = (parts: Partial<ImageTask>): string | null =>
    worker.findUnsupported({ ...task, ...parts, imageCount: 1 });

  it('sends the images beside the graph, under names that no other job has', () => {
    expect(worker.toInput(task)).toMatchObject({
      images: [{ name: 'x-1-0.png', image: IMAGE.toString('base64') }],
      workflow: expect.objectContaining({}) as object,
    });
  });

  it('accepts LoRAs on the volume, and no others', () => {
    expect(unsupported({ loras: [{ id: 'ink', strength: 1 }] })).toBeNull();
    expect(JSON.stringify(worker.toInput({ ...task, loras: [{ id: 'ink', strength: 1 }] }))).toContain(
      'ink.safetensors',
    );
    expect(unsupported({ loras: [{ url: 'https://example.com/x.safetensors', strength: 1 }] })).toMatch(/LoRA/);
  });

  it('refuses a graph without a place for the texts', () => {
    expect(unsupported({ template: 'cpu-image-edit-standin' })).toMatch(/no place for the prompt/);
    expect(worker.supports).toMatchObject({ prompt: 'or_refused', negativePrompt: 'or_refused', seed: 'always' });
    expect(unsupported({ template: 'unheard-of' })).toMatch(/no template/);
    expect(worker.toInput({ ...task, template: 'cpu-image-edit-standin' })).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ['an error instead of files', { error: 'Workflow validation failed: 6: text', details: 'x' }, 'invalid_input'],
    ['some of the files and errors', { images: [{ data: 'AAAA' }], errors: ['one is lost'] }, 'transient'],
    ['an out-of-memory error', { error: 'Allocation on device: CUDA out of memory' }, 'transient'],
    ['another worker’s output', 'done', 'fatal'],
  ])('reads a failure from %s', (_, output, kind) => {
    expect(worker.readOutput(output, 2)).toMatchObject({ failure: { kind } });
  });

  it('returns no files for an empty output', () => {
    expect(worker.readOutput({ status: 'success_no_images', images: [] }, 1)).toEqual({ files: [] });
  });

  it('reports success with all files, despite errors beside them', () => {
    const output = { images: [{ type: 'base64', data: 'AAAA' }], errors: ['a preview is lost'] };
    expect(worker.readOutput(output, 1)).toEqual({ files: ['AAAA'] });
  });
});
