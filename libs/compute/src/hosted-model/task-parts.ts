import type { ProviderTask } from '../compute-provider.port';
import type { Json } from '../json';
import { toImageDataUrl } from './image-data-url';

type Part = (task: ProviderTask) => Json | undefined;

/** The parts of a task for the fields of a model's input; undefined where a task lacks one. */
export const TASK_PARTS = {
  prompt: ({ prompt }) => prompt,
  negative_prompt: ({ negativePrompt }) => negativePrompt,
  seed: ({ seed }) => seed,
  width: ({ width }) => width,
  height: ({ height }) => height,
  steps: (task) => ('steps' in task ? task.steps : undefined),
  guidance: (task) => ('guidance' in task ? task.guidance : undefined),
  n: (task) => ('n' in task ? task.n : undefined),
  image: ({ images: [first] }) => first && toImageDataUrl(first),
  images: ({ images }) => (images.length === 0 ? undefined : images.map(toImageDataUrl)),
  duration: (task) => ('durationSeconds' in task ? task.durationSeconds : undefined),
  /** For models that take the seconds as a text. */
  duration_text: (task) => ('durationSeconds' in task ? String(task.durationSeconds) : undefined),
  fps: (task) => ('fps' in task ? task.fps : undefined),
  frames: (task) => framesOf(task),
  /** For models that also count the start frame. */
  frames_plus_one: (task) => {
    const frames = framesOf(task);
    return frames === undefined ? undefined : frames + 1;
  },
} as const satisfies Record<string, Part>;

export type TaskPart = keyof typeof TASK_PARTS;

export function isTaskPart(name: string): name is TaskPart {
  return Object.hasOwn(TASK_PARTS, name);
}

function framesOf(task: ProviderTask): number | undefined {
  return 'fps' in task ? Math.round(task.durationSeconds * task.fps) : undefined;
}
