import { withAgeSafetyTerms } from '../instance-definition';
import type { TaskFacts } from '../compute-provider.port';
import { type ChoiceRules, findUnsupportedChoice, toSupportedChoices } from '../task-choices';
import type { ModelTemplate } from './model-template';
import { NONE } from './template-problem';

/** The choices of a client in a template; the operator declares `seed: none`, and the frame rate of a model without a field. */
const CHOICE_RULES: ChoiceRules<ModelTemplate> = {
  prompt: 'always',
  negativePrompt: findUnsupportedNegativePrompt,
  images: findUnsupportedImages,
  width: findUnsupportedSize,
  height: findUnsupportedSize,
  seed: 'if_placed',
  n: (template, task) => findMissingField(template, 'n', 'n' in task && task.n > 1),
  steps: (template, task) => findMissingField(template, 'steps', 'steps' in task && task.steps !== undefined),
  guidance: (template, task) =>
    findMissingField(template, 'guidance', 'guidance' in task && task.guidance !== undefined),
  durationSeconds: findUnsupportedDuration,
  fps: 'if_placed',
  loras: findUnsupportedLoras,
};

export const SUPPORTED_BY_MODEL_TEMPLATE = toSupportedChoices(CHOICE_RULES);

/** Why a model cannot run a task exactly; null where it can. */
export function findUnsupportedTask(template: ModelTemplate, task: TaskFacts): string | null {
  if (!template.operations.includes(task.operation)) return `the template is not for ${task.operation}`;
  return findUnsupportedChoice(CHOICE_RULES, template, task);
}

/**
 * The age-safety terms alone may be dropped where the operator has allowed it, because the gate judges every output. A
 * client's negative prompt is never dropped.
 */
function findUnsupportedNegativePrompt({ fields }: ModelTemplate, { negativePrompt }: TaskFacts): string | null {
  const isLost = fields['negative_prompt'] === NONE && negativePrompt !== withAgeSafetyTerms(undefined);
  return isLost ? 'the model takes no negative prompt' : null;
}

function findUnsupportedImages({ fields }: ModelTemplate, { imageCount }: TaskFacts): string | null {
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

function findMissingField({ fields }: ModelTemplate, part: string, isChosen: boolean): string | null {
  return isChosen && fields[part] === undefined ? `the template has no field for ${part}` : null;
}

function findUnsupportedDuration({ durations }: ModelTemplate, task: TaskFacts): string | null {
  if (!('durationSeconds' in task) || durations.length === 0 || durations.includes(task.durationSeconds)) return null;
  return `the template has no duration of ${task.durationSeconds} s`;
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
