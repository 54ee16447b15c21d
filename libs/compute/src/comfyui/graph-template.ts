import type { SeededOutputs } from '../compute-provider.port';
import type { Graph, Link } from './graph';

/** The parts of a task for which a graph may have a place; other parameters of a map keep the values of the graph. */
export const TASK_PARAMETERS = [
  'prompt',
  'negative_prompt',
  'width',
  'height',
  // For graphs that work in steps of `side_multiple` and scale the result to the exact size.
  'latent_width',
  'latent_height',
  'batch_size',
  'seed',
  'steps',
  'guidance',
  'cfg',
  'frames',
  'fps',
  'filename_prefix',
] as const;

export const IMAGE_PARAMETERS = ['start_image', 'image_1', 'image_2', 'image_3'] as const;

export type TaskParameter = (typeof TASK_PARAMETERS)[number];
export type ImageParameter = (typeof IMAGE_PARAMETERS)[number];

export interface Place {
  nodeId: string;
  input: string;
}

export interface ImagePlace {
  name: ImageParameter;
  places: Place[];
  /** Null where the graph needs the image; otherwise the nodes that are removed without it. */
  dropWhenAbsent: string[] | null;
}

/** Loaders are chained between `from` and the consumers; without a LoRA the consumers are linked to `from`. */
export interface LoraChain {
  /** Which file of a LoRA is loaded here: `low` is for the low-noise expert. */
  expert: 'high' | 'low';
  loader: string;
  from: Link;
  consumers: Place[];
  /** Null where the loader is for the model only. */
  clip: { from: Link; consumers: Place[] } | null;
}

/** A validated graph, and the places of the parts of a task in it. */
export interface GraphTemplate {
  name: string;
  graph: Graph;
  outputNode: string;
  outputKind: 'image' | 'video';
  places: Partial<Record<TaskParameter, Place[]>>;
  images: ImagePlace[];
  loraChains: LoraChain[];
  /** Model files that the server must have, each with its folder. */
  modelFiles: Record<string, string>;
  rules: TemplateRules;
}

export interface TemplateRules {
  /** The sides of the images that the graph makes are multiples of this number. */
  sideMultiple: number;
  /** The graph makes a number of frames that is a multiple of this number, plus one: 4 for Wan. */
  frameStep: number;
  /** The largest seed that its node accepts. */
  maxSeed: number;
  /** Several images are one batch of one seed, and only the first can be reproduced by its seed. */
  batchSharesSeed: boolean;
}

/** A removed template guarantees no seeds. */
export function seededOutputsOf(template: GraphTemplate | undefined): SeededOutputs {
  return template && !template.rules.batchSharesSeed ? 'each' : 'first';
}
