import type { SeededOutputs } from '../compute-provider.port';
import type { Graph, Link } from './graph';

/** What a task says that a graph may have a place for; other parameters of a map stay as the graph has them. */
export const TASK_PARAMETERS = [
  'prompt',
  'negative_prompt',
  'width',
  'height',
  // For graphs that work in steps of `side_multiple` and scale what comes out to the exact size.
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

/** An input of a node. */
export interface Place {
  nodeId: string;
  input: string;
}

export interface ImagePlace {
  name: ImageParameter;
  places: Place[];
  /** Null where the graph needs the image; otherwise the nodes that go when it is not there. */
  dropWhenAbsent: string[] | null;
}

/** Loaders go one after another between `from` and the consumers; without a LoRA the consumers are linked to `from`. */
export interface LoraChain {
  /** Which file of a LoRA goes here: `low` is for the expert for low noise. */
  expert: 'high' | 'low';
  loader: string;
  from: Link;
  consumers: Place[];
  /** Null where the loader is for the model only. */
  clip: { from: Link; consumers: Place[] } | null;
}

/** A graph that is known to be whole, and where in it the parts of a task go. */
export interface GraphTemplate {
  name: string;
  graph: Graph;
  outputNode: string;
  outputKind: 'image' | 'video';
  places: Partial<Record<TaskParameter, Place[]>>;
  images: ImagePlace[];
  loraChains: LoraChain[];
  /** Folder by file, of what must lie at the server. */
  modelFiles: Record<string, string>;
  rules: TemplateRules;
}

export interface TemplateRules {
  /** The graph makes images whose sides are multiples of it, whatever else it is asked for. */
  sideMultiple: number;
  /** The graph makes multiples of it, plus one, frames: 4 for Wan. */
  frameStep: number;
  /** The largest seed that its node takes. */
  maxSeed: number;
  /** Several images are one batch of one seed, of which only the first can be made again by its seed. */
  batchSharesSeed: boolean;
}

/** A template that an operator has taken away leaves nothing to be sure of. */
export function seededOutputsOf(template: GraphTemplate | undefined): SeededOutputs {
  return template && !template.rules.batchSharesSeed ? 'each' : 'first';
}
