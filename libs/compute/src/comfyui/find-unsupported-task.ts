import type { TaskFacts } from '../compute-provider.port';
import { type ChoiceRules, findUnsupportedChoice } from '../task-choices';
import { frameCount } from './graph';
import type { GraphTemplate } from './graph-template';
import type { LoraFiles } from './task-loras';

/** The largest difference in frames between a video and its requested duration. */
const MAX_FRAMES_OFF = 1;

/** A graph with the files of the task's LoRAs; null for a LoRA without a file at the server. */
export interface GraphWithLoras {
  template: GraphTemplate;
  loras: (LoraFiles | null)[];
}

/** The choices of a client in a graph. A ComfyUI server gets the texts and the seed beside the graph as well. */
export const GRAPH_CHOICE_RULES: ChoiceRules<GraphWithLoras> = {
  images: findUnsupportedImages,
  width: findUnsupportedSize,
  height: findUnsupportedSize,
  loras: findUnsupportedLoras,
  prompt: 'always',
  negativePrompt: 'always',
  seed: 'always',
  n: findUnsupportedNumber,
  steps: findUnsupportedSteps,
  guidance: findUnsupportedGuidance,
  durationSeconds: findUnsupportedLength,
  fps: findUnsupportedLength,
};

/** Null, or the part of the task for which the graph has no place. */
export function findUnsupportedTask(
  template: GraphTemplate,
  task: TaskFacts,
  loras: (LoraFiles | null)[],
  rules = GRAPH_CHOICE_RULES,
): string | null {
  return findUnsupportedOperation(template, task) ?? findUnsupportedChoice(rules, { template, loras }, task);
}

function findUnsupportedOperation({ outputKind }: GraphTemplate, { operation }: TaskFacts): string | null {
  const wanted = operation === 'video.generation' ? 'video' : 'image';
  return outputKind === wanted ? null : `makes ${outputKind}s`;
}

function findUnsupportedImages(
  { template: { images } }: GraphWithLoras,
  { imageCount: count }: TaskFacts,
): string | null {
  const needed = images.filter(({ dropWhenAbsent }) => dropWhenAbsent === null).length;
  if (count < needed) return `needs ${needed} images and got ${count}`;
  return count > images.length ? `takes ${images.length} images and got ${count}` : null;
}

function findUnsupportedSize(
  { template: { places, rules } }: GraphWithLoras,
  { width, height }: TaskFacts,
): string | null {
  if (!places.width || !places.height) return 'has no place for the size';
  if (places.latent_width && places.latent_height) return null;
  const multiple = rules.sideMultiple;
  return width % multiple === 0 && height % multiple === 0 ? null : `makes sides that are multiples of ${multiple}`;
}

function findUnsupportedLoras({ template, loras }: GraphWithLoras): string | null {
  if (loras.length > 0 && template.loraChains.length === 0) return 'has no place for LoRAs';
  return loras.includes(null) ? 'runs on a server that has no file of a LoRA' : null;
}

function findUnsupportedNumber({ template: { places, rules } }: GraphWithLoras, task: TaskFacts): string | null {
  const severalAt = rules.batchSharesSeed ? places.batch_size : places.seed;
  return 'n' in task && task.n > 1 && !severalAt ? 'makes one image at a time' : null;
}

/** A graph without a place for the prompt draws without a model, so it has nothing to steer. */
function findUnsupportedSteps({ template: { places } }: GraphWithLoras, task: TaskFacts): string | null {
  const isLost = 'steps' in task && task.steps !== undefined && places.prompt && !places.steps;
  return isLost ? 'has no place for steps' : null;
}

function findUnsupportedGuidance({ template: { places } }: GraphWithLoras, task: TaskFacts): string | null {
  const isLost = 'guidance' in task && task.guidance !== undefined && places.prompt && !places.guidance && !places.cfg;
  return isLost ? 'has no place for guidance' : null;
}

function findUnsupportedLength({ template: { places, rules } }: GraphWithLoras, task: TaskFacts): string | null {
  if (!('durationSeconds' in task)) return null;
  const { durationSeconds, fps } = task;
  if (!places.frames || !places.fps) return 'has no place for the length';
  const framesOff = Math.abs(frameCount(durationSeconds, fps, rules.frameStep) - durationSeconds * fps);
  return framesOff <= MAX_FRAMES_OFF ? null : `makes videos of multiples of ${rules.frameStep} plus one frames`;
}
