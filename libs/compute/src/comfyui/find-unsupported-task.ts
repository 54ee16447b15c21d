import type { ImageTask, TaskFacts, VideoTask } from '../compute-provider.port';
import { frameCount } from './frame-count';
import type { GraphTemplate } from './graph-template';
import type { LoraFiles } from './task-loras';

/** The largest difference in frames between a video and its requested duration. */
const MAX_FRAMES_OFF = 1;

/** Null, or the part of the task for which the graph has no place. */
export function findUnsupportedTask(
  template: GraphTemplate,
  task: TaskFacts,
  loras: (LoraFiles | null)[],
): string | null {
  return (
    findUnsupportedImages(template, task.imageCount) ??
    findUnsupportedSize(template, task) ??
    findUnsupportedLoras(template, loras) ??
    (task.operation === 'video.generation'
      ? findUnsupportedVideoTask(template, task)
      : findUnsupportedImageTask(template, task))
  );
}

function findUnsupportedImages({ images }: GraphTemplate, count: number): string | null {
  const needed = images.filter(({ dropWhenAbsent }) => dropWhenAbsent === null).length;
  if (count < needed) return `needs ${needed} images and got ${count}`;
  return count > images.length ? `takes ${images.length} images and got ${count}` : null;
}

function findUnsupportedSize({ places, rules }: GraphTemplate, { width, height }: TaskFacts): string | null {
  if (!places.width || !places.height) return 'has no place for the size';
  if (places.latent_width && places.latent_height) return null;
  const multiple = rules.sideMultiple;
  return width % multiple === 0 && height % multiple === 0 ? null : `makes sides that are multiples of ${multiple}`;
}

function findUnsupportedLoras({ loraChains }: GraphTemplate, loras: (LoraFiles | null)[]): string | null {
  if (loras.length > 0 && loraChains.length === 0) return 'has no place for LoRAs';
  return loras.includes(null) ? 'runs on a server that has no file of a LoRA' : null;
}

function findUnsupportedImageTask(
  { outputKind, places, rules }: GraphTemplate,
  task: Omit<ImageTask, 'images'>,
): string | null {
  if (outputKind !== 'image') return 'makes videos';
  const severalAt = rules.batchSharesSeed ? places.batch_size : places.seed;
  if (task.n > 1 && !severalAt) return 'makes one image at a time';
  // A graph without a place for the prompt draws without a model, so it has nothing to steer.
  if (!places.prompt) return null;
  if (task.steps !== undefined && !places.steps) return 'has no place for steps';
  return task.guidance === undefined || places.guidance || places.cfg ? null : 'has no place for guidance';
}

function findUnsupportedVideoTask(
  { outputKind, places, rules }: GraphTemplate,
  task: Omit<VideoTask, 'images'>,
): string | null {
  const { durationSeconds, fps } = task;
  if (outputKind !== 'video') return 'makes pictures';
  if (!places.frames || !places.fps) return 'has no place for the length';
  const framesOff = Math.abs(frameCount(durationSeconds, fps, rules.frameStep) - durationSeconds * fps);
  return framesOff <= MAX_FRAMES_OFF ? null : `makes videos of multiples of ${rules.frameStep} plus one frames`;
}
