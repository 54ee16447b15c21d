import type { ProviderTask } from '../compute-provider.port';
import { seedOfOutput } from '../seed-of-output';
import { frameCount } from './frame-count';
import { dropNodes, freeNodeId, type Graph, type InputValue, type Link, pruneTo } from './graph';
import type { GraphTemplate, LoraChain, Place, TaskParameter } from './graph-template';
import { link } from './parse-lora-chains';
import { addSeedBranches, filenamePrefix } from './seed-branches';
import type { LoraFiles } from './task-loras';

/** What a task is called at the server, once it is there. */
export interface TaskFiles {
  /** Folders of the task alone: names of outputs come again once a file is gone, and the server keeps old results. */
  folder: string;
  /** Names that the server has given the uploaded images. */
  images: string[];
  loras: LoraFiles[];
}

/** The graph that makes what the task asks for; see findUnsupportedTask for tasks that have none. */
export function fillGraph(template: GraphTemplate, task: ProviderTask, { folder, images, loras }: TaskFiles): Graph {
  const graph = structuredClone(template.graph);
  const values: Partial<Record<TaskParameter, InputValue>> = {
    ...taskValues(template, task),
    filename_prefix: filenamePrefix(folder, 0),
  };
  for (const [parameter, places] of Object.entries(template.places) as [TaskParameter, Place[]][]) {
    const value = values[parameter];
    if (value !== undefined) put(graph, places, value);
  }
  template.images.forEach(({ places, dropWhenAbsent }, index) => {
    const image = images[index];
    if (image !== undefined) put(graph, places, image);
    else dropNodes(dropWhenAbsent ?? [], graph);
  });
  for (const chain of template.loraChains) insertLoaders(graph, chain, task, loras);
  const pruned = pruneTo(template.outputNode, graph);
  const { seed = [], filename_prefix: prefixPlaces = [] } = template.places;
  addSeedBranches(pruned, { seeds: seedsOf(template, task), seedPlaces: seed, prefixPlaces, folder });
  return pruned;
}

/** One for each branch of the graph. There is no "random" for the server: what a graph was exported with would be every task's seed. */
function seedsOf({ rules }: GraphTemplate, task: ProviderTask): number[] {
  const count = task.operation === 'video.generation' || rules.batchSharesSeed ? 1 : task.n;
  return Array.from({ length: count }, (_, index) => seedOfOutput(task.seed, index) % (rules.maxSeed + 1));
}

function taskValues({ rules, places }: GraphTemplate, task: ProviderTask): Partial<Record<TaskParameter, InputValue>> {
  const { sideMultiple, maxSeed, frameStep, batchSharesSeed } = rules;
  return {
    prompt: task.prompt,
    negative_prompt: task.negativePrompt,
    width: task.width,
    height: task.height,
    latent_width: Math.ceil(task.width / sideMultiple) * sideMultiple,
    latent_height: Math.ceil(task.height / sideMultiple) * sideMultiple,
    seed: task.seed % (maxSeed + 1),
    ...(task.operation === 'video.generation'
      ? { fps: task.fps, frames: frameCount(task.durationSeconds, task.fps, frameStep) }
      : {
          batch_size: batchSharesSeed ? task.n : 1,
          ...(task.steps === undefined ? {} : { steps: task.steps }),
          // A graph of a model that is distilled for guidance has both, and its cfg stays at 1.
          ...(task.guidance === undefined ? {} : { [places.guidance ? 'guidance' : 'cfg']: task.guidance }),
        }),
  };
}

function put(graph: Graph, places: Place[], value: InputValue): void {
  for (const { nodeId, input } of places) {
    const node = graph[nodeId];
    if (node) node.inputs[input] = value;
  }
}

function insertLoaders(
  graph: Graph,
  { expert, loader, from, consumers, clip }: LoraChain,
  task: ProviderTask,
  files: LoraFiles[],
): void {
  let model: Link = from;
  let text: Link | undefined = clip?.from;
  for (const [index, { file, low_file: lowFile }] of files.entries()) {
    const strength = task.loras[index]?.strength ?? 1;
    const id = freeNodeId(graph);
    graph[id] = {
      class_type: loader,
      inputs: {
        model,
        lora_name: expert === 'low' ? (lowFile ?? file) : file,
        strength_model: strength,
        ...(text === undefined ? {} : { clip: text, strength_clip: strength }),
      },
    };
    model = [id, 0];
    text &&= [id, 1];
  }
  link(graph, consumers, model);
  if (clip && text) link(graph, clip.consumers, text);
}
