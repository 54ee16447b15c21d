import type { ConfigProblem } from '@kinora/service-kit';
import { isRecord } from '../http/json-answer';
import type { LoraFields, ModelTemplate } from './model-template';
import { isTaskPart } from './task-parts';

/** Must be written where a model has no field for a part, so that a field is not omitted by mistake. */
export const NONE = 'none';
/** Parts that affect the image, so that a missing field must be declared with `none`. */
const MAY_BE_NONE = ['negative_prompt', 'seed'];
const FIELD = /^[A-Za-z]\w*(\.[A-Za-z]\w*)*$/;
const SIZE = /^[1-9]\d{0,4}x[1-9]\d{0,4}$/;
const LENGTHS = ['duration', 'duration_text', 'frames', 'frames_plus_one'];

/** The first rule that a template breaks, of the rules that class-validator cannot express; null for a valid one. */
export function findTemplateProblem(template: ModelTemplate): ConfigProblem | null {
  return (
    findPartProblem(template.fields) ??
    findMissingPart(template) ??
    findSizeProblem(template) ??
    (template.loras ? findLoraProblem(template.loras) : null)
  );
}

function findPartProblem(fields: Record<string, unknown>): ConfigProblem | null {
  const taken = new Set<unknown>();
  for (const [part, field] of Object.entries(fields)) {
    const path = ['fields', part];
    if (!isTaskPart(part)) return { path, rule: 'is not a part of a task' };
    if (field === NONE && MAY_BE_NONE.includes(part)) continue;
    if (!isField(field) || field === NONE)
      return { path, rule: 'must name a field of the input, like seed or size.width' };
    if (taken.has(field)) return { path, rule: `is sent in ${field} like another part` };
    taken.add(field);
  }
  return null;
}

function findMissingPart({ fields, operations, durations }: ModelTemplate): ConfigProblem | null {
  const lacks = (...parts: string[]): boolean => parts.every((part) => fields[part] === undefined);
  const missing = (rule: string): ConfigProblem => ({ path: ['fields'], rule });
  if (lacks('prompt')) return missing('must say where the prompt goes');
  if (lacks('negative_prompt'))
    return missing(`must say where the negative_prompt goes, or ${NONE} if the model has no place for it`);
  if (lacks('seed')) return missing(`must say where the seed goes, or ${NONE} if the model takes no seed`);
  const takesImages = operations.some((operation) => operation !== 'image.generation');
  if (takesImages && lacks('image', 'images')) return missing('must say where the image or images go');
  const isOfFreeLength = operations.includes('video.generation') && durations.length === 0;
  if (isOfFreeLength && lacks(...LENGTHS))
    return missing(`must say where one of ${LENGTHS.join(', ')} goes; or list durations`);
  return null;
}

function findSizeProblem({ fields, sizes, size_follows_image: followsImage }: ModelTemplate): ConfigProblem | null {
  const ways = [
    fields['width'] !== undefined && fields['height'] !== undefined,
    Object.keys(sizes).length > 0,
    followsImage,
  ];
  if (ways.filter(Boolean).length !== 1)
    return { path: [], rule: 'needs one of: width and height among the fields, sizes, or size_follows_image' };
  for (const [size, input] of Object.entries(sizes)) {
    if (!SIZE.test(size)) return { path: ['sizes', size], rule: 'must be a size like 1024x768' };
    if (!isRecord(input)) return { path: ['sizes', size], rule: 'must be a map of fields of the input' };
  }
  return null;
}

function findLoraProblem({ list, slots }: LoraFields): ConfigProblem | null {
  if ((list === undefined) === (slots === undefined))
    return { path: ['loras'], rule: 'must have either list or slots' };
  for (const [index, slot] of (slots ?? []).entries())
    if ((slot.low_url === undefined) !== (slot.low_strength === undefined))
      return { path: ['loras', 'slots', index], rule: 'must have both low_url and low_strength, or neither' };
  return null;
}

function isField(value: unknown): value is string {
  return typeof value === 'string' && FIELD.test(value);
}
