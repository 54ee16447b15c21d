import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ImageTask, TaskLora, VideoTask } from '../compute-provider.port';
import { validatePrompt } from './fake/validate-prompt.fixtures';
import { sketchGraph } from './fake/run-graph.fixtures';
import { fillGraph } from './fill-graph';
import { findUnsupportedTask } from './find-unsupported-task';
import { frameCount, type Graph, type GraphNode, pruneTo } from './graph';
import { type GraphTemplate, seededOutputsOf } from './graph-template';
import { loadTemplates, SHIPPED_TEMPLATES_DIR } from './load-templates';
import { findLoraFiles } from './task-loras';

const shipped = loadTemplates(SHIPPED_TEMPLATES_DIR);
const ANY_TASK = {
  id: 'a-task',
  model: 'a-model',
  prompt: 'a "lighthouse" | 🦊',
  negativePrompt: 'fog, child',
  width: 1_024,
  height: 768,
  seed: 2 ** 31 - 1,
  loras: [],
  images: [],
};
const IMAGE: ImageTask = { ...ANY_TASK, operation: 'image.generation', n: 2 };
const VIDEO: VideoTask = { ...ANY_TASK, operation: 'video.generation', durationSeconds: 5, fps: 16 };
const PAIR: TaskLora = { file: 'up.safetensors', low_file: 'low.safetensors', strength: 0.7 };
const SINGLE: TaskLora = { file: 'one.safetensors', strength: 1.2 };

function templateNamed(name: string): GraphTemplate {
  const template = shipped.get(name);
  if (!template) throw new Error(`There is no template ${name}`);
  return template;
}

function fill(name: string, task: ImageTask | VideoTask, images: string[] = []): Graph {
  const loras = findLoraFiles(task.loras, new Map()).filter((files) => files !== null);
  return fillGraph(templateNamed(name), task, { folder: 'jobs/x', images, loras });
}

function idOf(graph: Graph, inputs: GraphNode['inputs']): string {
  return Object.keys(graph).find((id) => graph[id]?.inputs === inputs) ?? '';
}

/** Follows an input back through its loaders: the arguments of each, the nearest first. */
function loadersBefore(graph: Graph, id: string, input = 'model'): unknown[] {
  const [source = ''] = graph[id]?.inputs[input] as [string, number];
  const { class_type: name, inputs } = graph[source] ?? {};
  if (!name?.startsWith('LoraLoader')) return [name];
  return [[inputs?.['lora_name'], inputs?.['strength_model']], ...loadersBefore(graph, source, input)];
}

describe('shipped templates', () => {
  const everyInput = { hasModel: () => true, hasUpload: () => true };

  it.each([
    ['sdxl-text-to-image', { ...IMAGE, loras: [SINGLE] }, []],
    ['flux-dev-text-to-image', { ...IMAGE, loras: [SINGLE] }, []],
    ['qwen-image-edit-2509', IMAGE, ['jobs/x/1.png']],
    ['wan22-14b-image-to-video', { ...VIDEO, loras: [PAIR, PAIR] }, ['jobs/x/1.png']],
    ['cpu-text-to-image-standin', IMAGE, []],
    ['cpu-image-edit-standin', { ...IMAGE, n: 1 }, ['jobs/x/1.png']],
    ['cpu-image-to-video-standin', VIDEO, ['jobs/x/1.png']],
  ] as const)('%s fills to a graph that servers accept', (name, task, images) => {
    const graph = fill(name, { ...task, loras: [...task.loras] }, [...images]);
    expect(validatePrompt(graph, '0.12.1', everyInput)).toMatchObject({
      error: null,
      nodeErrors: {},
      outputs: Array(task.operation === 'video.generation' ? 1 : task.n).fill(expect.any(String)) as string[],
    });
    expect(
      findUnsupportedTask(templateNamed(name), { ...task, loras: [...task.loras], imageCount: images.length }, []),
    ).toBeNull();
  });

  it('are all in the tests above', () => {
    expect(shipped.size).toBe(7);
  });

  it('contain the texts of a task byte for byte, also where a model reads no negative prompt', () => {
    for (const name of [
      'sdxl-text-to-image',
      'flux-dev-text-to-image',
      'qwen-image-edit-2509',
      'wan22-14b-image-to-video',
    ]) {
      const texts = Object.values(fill(name, name.startsWith('wan') ? VIDEO : IMAGE, ['1.png'])).flatMap(({ inputs }) =>
        Object.values(inputs),
      );
      expect(texts).toContain(IMAGE.prompt);
      expect(texts).toContain(IMAGE.negativePrompt);
    }
  });

  it('chain LoRAs through model and text encoder, in order, and link directly without any', () => {
    const graph = fill('sdxl-text-to-image', { ...IMAGE, loras: [SINGLE, PAIR] });
    expect(loadersBefore(graph, '5')).toEqual([
      ['up.safetensors', 0.7],
      ['one.safetensors', 1.2],
      'CheckpointLoaderSimple',
    ]);
    expect(loadersBefore(graph, '3', 'clip')).toEqual(loadersBefore(graph, '5'));
    expect(loadersBefore(fill('sdxl-text-to-image', IMAGE), '5')).toEqual(['CheckpointLoaderSimple']);
  });

  it('give each expert its own file of a pair, and keep the distillation that their steps rely on', () => {
    const graph = fill('wan22-14b-image-to-video', { ...VIDEO, loras: [PAIR, SINGLE] }, ['1.png']);
    const [high, low] = ['5', '6'].map((id) => loadersBefore(graph, id).map((loader) => (loader as string[])[0]));
    expect(high).toEqual(['one.safetensors', 'up.safetensors', expect.stringContaining('lightx2v'), 'U']);
    expect(low).toEqual(['one.safetensors', 'low.safetensors', expect.stringMatching(/lightx2v.*low/), 'U']);
  });

  it('drop absent images, with every link to them', () => {
    const graph = fill('qwen-image-edit-2509', IMAGE, ['1.png', '2.png']);
    const loaded = Object.values(graph).filter(({ class_type: name }) => name === 'LoadImage');
    expect(loaded.map(({ inputs }) => inputs['image'])).toEqual(['1.png', '2.png']);
    expect(Object.keys(graph['8']?.inputs ?? {})).not.toContain('image3');
  });

  it('scale an edit to the exact size, from the nearest that the model makes', () => {
    const graph = fill('qwen-image-edit-2509', { ...IMAGE, width: 1_001, height: 640 }, ['1.png']);
    expect(graph['9']?.inputs).toMatchObject({ width: 1_008, height: 640, batch_size: 1 });
    expect(graph['14']?.inputs).toMatchObject({ width: 1_001, height: 640 });
  });

  it('save under a name that only this task has', () => {
    expect(fill('sdxl-text-to-image', IMAGE)['7']?.inputs['filename_prefix']).toBe('jobs/x/out');
  });

  it('draw every image from its own seed, with shared loaders and texts', () => {
    const graph = fill('sdxl-text-to-image', { ...IMAGE, n: 3, seed: 2 ** 31 - 2 });
    const nodesOf = (name: string) => Object.values(graph).filter(({ class_type: found }) => found === name);
    expect(nodesOf('KSampler').map(({ inputs }) => inputs['seed'])).toEqual([2 ** 31 - 2, 2 ** 31 - 1, 0]);
    expect(nodesOf('EmptyLatentImage').map(({ inputs }) => inputs['batch_size'])).toEqual([1]);
    expect(nodesOf('CheckpointLoaderSimple')).toHaveLength(1);
    const saved = nodesOf('SaveImage').map(({ inputs }) => [
      inputs['filename_prefix'],
      sketchGraph(pruneTo(idOf(graph, inputs), graph)).seed,
    ]);
    expect(saved).toEqual([
      ['jobs/x/out', 2 ** 31 - 2],
      ['jobs/x/out-2', 2 ** 31 - 1],
      ['jobs/x/out-3', 0],
    ]);
  });

  it('reduce the seed to the range of its node', () => {
    expect(fill('sdxl-text-to-image', IMAGE)['5']?.inputs['seed']).toBe(2 ** 31 - 1);
    expect(fill('cpu-text-to-image-standin', IMAGE)['1']?.inputs['color']).toBe((2 ** 31 - 1) % 0x1000000);
  });

  it('make multiples of four plus one frames where the model does', () => {
    expect(fill('wan22-14b-image-to-video', VIDEO, ['1.png'])['11']?.inputs['length']).toBe(81);
    expect([frameCount(8, 16, 4), frameCount(5, 30, 4), frameCount(5, 8, 1)]).toEqual([129, 149, 40]);
  });
});

describe("an operator's template", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'templates-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const GRAPH = {
    '1': { class_type: 'UNETLoader', inputs: { unet_name: 'm.safetensors' } },
    '2': { class_type: 'LoraLoaderModelOnly', inputs: { model: ['1', 0], lora_name: 'example.safetensors' } },
    '3': { class_type: 'KSampler', inputs: { model: ['2', 0], seed: 1 }, _meta: { title: 'SAMPLER' } },
    '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'x' }, _meta: { title: 'OUTPUT' } },
    '5': { class_type: 'PreviewImage', inputs: { images: ['3', 0] } },
  };
  const CHAIN = {
    kind: 'model',
    loader: 'LoraLoaderModelOnly',
    from: ['1', 0],
    nodes: ['2'],
    model_consumers: ['3.model'],
  };
  const MAP = {
    output_node: 'OUTPUT',
    output_kind: 'image',
    parameters: { seed: 'SAMPLER.seed', filename_prefix: '4.filename_prefix' },
    loras: CHAIN,
    model_files: { 'm.safetensors': 'diffusion_models', 'example.safetensors': 'loras' },
  };
  const load = (map: object, graph: unknown = GRAPH): GraphTemplate | undefined => {
    writeFileSync(path.join(folder, 'mine.params.json'), JSON.stringify(map, null, 2));
    writeFileSync(path.join(folder, 'mine.json'), JSON.stringify(graph, null, 2));
    return loadTemplates(folder).get('mine');
  };

  it('is bound by ids and titles, without its example LoRAs and other outputs', () => {
    const template = load(MAP);
    expect(template?.modelFiles).toEqual({ 'm.safetensors': 'diffusion_models' });
    const graph = template && fillGraph(template, { ...IMAGE, n: 1 }, { folder: 'f', images: [], loras: [] });
    expect(graph).toEqual({
      '1': GRAPH['1'],
      '3': { ...GRAPH['3'], inputs: { model: ['1', 0], seed: IMAGE.seed } },
      '4': { ...GRAPH['4'], inputs: { images: ['3', 0], filename_prefix: 'f/out' } },
    });
  });

  it('with batch_shares_seed is sent as one batch, and guarantees only the first seed', () => {
    const map = { ...MAP, batch_shares_seed: true, parameters: { ...MAP.parameters, batch_size: '6.batch_size' } };
    const latent = { class_type: 'EmptyLatentImage', inputs: { batch_size: 1 } };
    const sampler = { ...GRAPH['3'], inputs: { ...GRAPH['3'].inputs, latent_image: ['6', 0] } };
    const template = load(map, { ...GRAPH, '3': sampler, '6': latent });
    const graph = template && fillGraph(template, { ...IMAGE, n: 3 }, { folder: 'f', images: [], loras: [] });
    expect(Object.keys(graph ?? {})).toEqual(['1', '3', '4', '6']);
    expect(graph?.['6']?.inputs).toEqual({ batch_size: 3 });
    expect([seededOutputsOf(template), seededOutputsOf(load(MAP)), seededOutputsOf(undefined)]).toEqual([
      'first',
      'each',
      'first',
    ]);
  });

  it('makes one image at a time where it has no place for a seed, or for the size of its batch', () => {
    const { seed: _, ...unseeded } = MAP.parameters;
    const several = { ...IMAGE, n: 2, imageCount: 0 };
    const sized = { ...unseeded, width: '6.width', height: '6.height' };
    const graph = { ...GRAPH, '6': { class_type: 'EmptyLatentImage', inputs: { width: 8, height: 8 } } };
    for (const map of [
      { ...MAP, parameters: sized },
      { ...MAP, parameters: { ...sized, seed: '3.seed' }, batch_shares_seed: true },
    ]) {
      const template = load(map, graph);
      expect(template && findUnsupportedTask(template, several, [])).toBe('makes one image at a time');
    }
  });

  it.each([
    [{ ...MAP, batch_shares_seed: 'yes' }, 'params.batch_shares_seed: must be true or false'],
    [{ ...MAP, parametres: {} }, 'mine.params.json:26: params.parametres: is not known; there are parameters, '],
    [{ ...MAP, output_node: '9' }, 'mine.params.json:2: params.output_node: there is no node 9; there are '],
    [{ ...MAP, output_node: 'OUTPT' }, 'params.output_node: there is no node OUTPT; there are OUTPUT, '],
    [{ ...MAP, output_node: 'constructor' }, 'params.output_node: there is no node constructor; there are '],
    [
      { ...MAP, output_node: '5' },
      'mine.params.json:2: params.output_node: node 5 (PreviewImage) saves nothing: filename_prefix, 4.filename_prefix, is not there',
    ],
    [{ ...MAP, output_node: '3' }, 'params.output_node: node 3 (KSampler) saves nothing'],
    [{ ...MAP, output_kind: 'audio' }, 'params.output_kind: must be image or video'],
    [
      { ...MAP, parameters: { ...MAP.parameters, sed: '3.seed' } },
      'params.parameters.sed: is not known; there are seed, steps, ',
    ],
    [
      { ...MAP, parameters: { ...MAP.parameters, seed: '3.sed' } },
      'mine.params.json:5: params.parameters.seed: node 3 has no input sed; there are seed',
    ],
    [{ ...MAP, parameters: { seed: '3.valueOf' } }, 'params.parameters.seed: node 3 has no input valueOf; there are '],
    [{ ...MAP, parameters: { seed: '3.seed' } }, 'params.parameters.filename_prefix: is missing'],
    [{ ...MAP, loras: { ...CHAIN, kind: 'clip' } }, 'params.loras.kind: must be model or model+clip'],
    [
      { ...MAP, loras: { ...CHAIN, model_consumers: ['4.model'] } },
      'params.loras.model_consumers: node 4 has no input model',
    ],
    [{ ...MAP, optional_inputs: { image_1: {} } }, 'params.optional_inputs.image_1: is no image'],
    [{ ...MAP, side_multiple: 0 }, 'params.side_multiple: must be a whole number above 0'],
  ])('is refused with its first error: %#', (map, message) => {
    expect(() => load(map)).toThrow(message);
  });

  it.each([
    ['{\n  "output_node": "4",\n}', 3],
    ['{\n  "output_node": \n', 2],
  ])('is refused with the line if its map is not JSON: %j', (text, line) => {
    writeFileSync(path.join(folder, 'mine.params.json'), text);
    expect(() => loadTemplates(folder)).toThrow(`mine.params.json:${line}: is not valid JSON`);
  });

  it('is refused without its map', () => {
    load(MAP);
    writeFileSync(path.join(folder, 'poster.json'), JSON.stringify(GRAPH));
    expect(() => loadTemplates(folder)).toThrow(`${folder}/poster.json: has no poster.params.json beside it`);
    writeFileSync(path.join(folder, 'poster.params.json'), JSON.stringify({ ...MAP, workflow: 'mine.json' }));
    expect(() => loadTemplates(folder)).toThrow('poster.json: has no poster.params.json');
    writeFileSync(path.join(folder, 'poster.params.json'), JSON.stringify(MAP));
    expect([...loadTemplates(folder).keys()]).toEqual(['mine', 'poster']);
  });

  it.each([
    [{ nodes: [], links: [] }, 'mine.json:1: is in the format of the editor'],
    [
      { ...GRAPH, '3': { class_type: 'KSampler', inputs: { model: ['7', 0] } } },
      'mine.json:21: 3.model: there is no node 7',
    ],
    [{ ...GRAPH, '6': { inputs: {} } }, 'mine.json:53: 6.class_type: must be a string'],
    [{ ...GRAPH, '6': { class_type: 'A', inputs: {}, _meta: { title: 7 } } }, '6._meta.title: must be a string'],
  ])('is refused for its graph: %#', (graph, message) => {
    expect(() => load(MAP, graph)).toThrow(message);
  });
});
