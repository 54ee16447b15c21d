import type { ProviderTask, TaskLora } from '../compute-provider.port';
import { isRecord } from '../http/json-answer';
import type { Json, JsonObject } from '../instance-definition';
import type { LoraFields, LoraList, LoraSlot, ModelTemplate } from './model-template';
import { NONE } from './template-problem';
import { TASK_PARTS, isTaskPart } from './task-parts';

export function toModelInput(template: ModelTemplate, task: ProviderTask): JsonObject {
  const input = structuredClone(template.fixed);
  Object.assign(input, structuredClone(template.sizes[`${task.width}x${task.height}`] ?? {}));
  for (const [part, field] of Object.entries(template.fields)) {
    const value = isTaskPart(part) ? TASK_PARTS[part](task) : undefined;
    if (value !== undefined && typeof field === 'string' && field !== NONE) put(input, field, value);
  }
  if (template.loras && task.loras.length > 0) putLoras(input, template.loras, task.loras);
  return input;
}

function putLoras(input: JsonObject, { list, slots }: LoraFields, loras: TaskLora[]): void {
  if (list)
    put(
      input,
      list.field,
      loras.flatMap((lora) => toListEntries(list, lora)),
    );
  else slots?.slice(0, loras.length).forEach((slot, index) => putInSlot(input, slot, loras[index]));
}

/** Without `low_url`, both experts get `url`. */
function toListEntries({ url: urlField, strength: strengthField, expert }: LoraList, lora: TaskLora): JsonObject[] {
  const entry = (url: string | undefined, name: string): JsonObject => ({
    [urlField]: url ?? null,
    [strengthField]: lora.strength,
    ...(expert === undefined ? {} : { [expert]: name }),
  });
  return lora.low_url === undefined ? [entry(lora.url, 'both')] : [entry(lora.url, 'high'), entry(lora.low_url, 'low')];
}

function putInSlot(input: JsonObject, slot: LoraSlot, lora: TaskLora | undefined): void {
  if (!lora?.url) return;
  put(input, slot.url, lora.url);
  put(input, slot.strength, lora.strength);
  if (slot.low_url === undefined || slot.low_strength === undefined) return;
  put(input, slot.low_url, lora.low_url ?? lora.url);
  put(input, slot.low_strength, lora.strength);
}

/** Sets a field by its path, and creates the objects of the path. */
function put(input: JsonObject, field: string, value: Json): void {
  const names = field.split('.');
  const last = names.pop() ?? field;
  let object = input;
  for (const name of names) {
    const inner = object[name];
    object = isRecord(inner) ? inner : (object[name] = {});
  }
  object[last] = value;
}
