import { withAgeSafetyTerms } from '../age-safety';
import type { TaskFacts } from '../compute-provider.port';
import type { ModelTemplate } from './model-template';
import { NONE } from './template-problem';

/** Why a model cannot run a task exactly; null where it can. */
export function findUnsupportedTask(template: ModelTemplate, task: TaskFacts): string | null {
  const { operations, fields } = template;
  if (!operations.includes(task.operation)) return `the template is not for ${task.operation}`;
  // The age-safety terms alone may be dropped where the operator has allowed it, because the gate judges every output. A
  // client's negative prompt is never dropped.
  if (fields['negative_prompt'] === NONE && task.negativePrompt !== withAgeSafetyTerms(undefined))
    return 'the model takes no negative prompt';
  return (
    findUnsupportedImages(template, task.imageCount) ??
    findUnsupportedSize(template, task) ??
    findUnsupportedNumber(template, task) ??
    findUnsupportedLoras(template, task)
  );
}

function findUnsupportedImages({ fields }: ModelTemplate, imageCount: number): string | null {
  if (imageCount === 0 || fields['images'] !== undefined) return null;
  if (fields['image'] === undefined) return 'the model takes no images';
  return imageCount > 1 ? 'the model takes one image only' : null;
}

function findUnsupportedSize(
  { sizes, size_follows_image: followsImage }: ModelTemplate,
  task: TaskFacts,
): string | null {
  const size = `${task.width}x${task.height}`;
  if (followsImage) return task.imageCount > 0 ? null : 'the model takes its size from an image';
  return Object.keys(sizes).length === 0 || Object.hasOwn(sizes, size) ? null : `the template has no size ${size}`;
}

/** Every choice of a client must reach the model. */
function findUnsupportedNumber({ fields, durations }: ModelTemplate, task: TaskFacts): string | null {
  if ('durationSeconds' in task)
    return durations.length === 0 || durations.includes(task.durationSeconds)
      ? null
      : `the template has no duration of ${task.durationSeconds} s`;
  const chosen = { n: task.n === 1 ? undefined : task.n, steps: task.steps, guidance: task.guidance };
  const lost = Object.entries(chosen).find(([part, value]) => value !== undefined && fields[part] === undefined)?.[0];
  return lost === undefined ? null : `the template has no field for ${lost}`;
}

function findUnsupportedLoras({ loras: fields }: ModelTemplate, { loras }: TaskFacts): string | null {
  if (loras.length === 0) return null;
  if (!fields) return 'the model takes no LoRAs';
  if (loras.some(({ url }) => url === undefined)) return 'the backend can fetch LoRAs by their URL only';
  if (fields.slots && loras.length > fields.slots.length) return `the model takes ${fields.slots.length} LoRAs only`;
  const hasExperts = fields.list ? fields.list.expert !== undefined : fields.slots?.every(({ low_url }) => low_url);
  return loras.some(({ low_url }) => low_url !== undefined) && !hasExperts
    ? 'the model has no expert for low noise'
    : null;
}
