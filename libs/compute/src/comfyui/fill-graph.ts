import type { ProviderTask } from '../compute-provider.port';
import { seedOfOutput } from '../instance-definition';
import { dropNodes, frameCount, freeNodeId, type Graph, type InputValue, type Link, pruneTo } from './graph';
import type { GraphTemplate, LoraChain, Place, TaskParameter } from './graph-template';
import { link } from './parse-template';
import { addSeedBranches, filenamePrefix } from './seed-branches';
import type { LoraFiles } from './task-loras';

/** The names of a task's files at the server. */
export interface TaskFiles {
  /** A folder for this task only: the server reuses output names once a file is gone, and it caches old results. */
  folder: string;
  /** The names that the server gave to the uploaded images. */
  images: string[];
  loras: LoraFiles[];
}

/** The graph for a task. `findUnsupportedTask` must have accepted the task. */
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

/** One seed for each branch of the graph. The server has no "random": without a seed, every task would use the exported one. */
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
          // A graph of a guidance-distilled model has both, and its cfg stays at 1.
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

/**
 * The data that is sent beside the graph; servers keep it with the prompt and pass it to nodes that request it.
 *
 * A graph without a place for a text gets the text here, with the age-safety terms. So the text still reaches the server
 * unchanged, but only a custom node of the operator could use it. The moderation of its outputs keeps such a graph safe. Terms
 * do not replace that moderation in other graphs either: a guidance-distilled model reads no negative prompt, even if its
 * graph has a place for one.
 */
export function toExtraData({ places }: GraphTemplate, task: ProviderTask): object {
  return {
    kinora: {
      task: task.id,
      ...(places.prompt ? {} : { prompt: task.prompt }),
      ...(places.negative_prompt ? {} : { negative_prompt: task.negativePrompt }),
    },
  };
}
