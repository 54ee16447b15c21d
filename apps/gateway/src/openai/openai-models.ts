import type { ModelAlias, Operation } from '@kinora/contracts/catalog/catalog.rpc';
import type { Integer } from '@kinora/contracts/shared/scalars';
import type { Model } from '@kinora/contracts/catalog/model';

/** A model as OpenAI's clients list it. */
export interface OpenAiModel {
  /** For `model` of a request. */
  id: string;
  object: 'model';
  /** Unix seconds. The catalog has no dates, so it is always 0. */
  created: Integer;
  owned_by: 'kinora';
}

/** What the OpenAI-compatible API offers: models, and other names for them. */
export interface OfferedNames {
  models: Model[];
  aliases: ModelAlias[];
}

/** The ids of the models, then their aliases, each name once. */
export function toOpenAiModels({ models, aliases }: OfferedNames): OpenAiModel[] {
  const ids = models.map(({ id }) => id);
  const named = aliases.filter(({ model }) => ids.includes(model)).map(({ alias }) => alias);
  return [...new Set([...ids, ...named])].map((id) => ({ id, object: 'model', created: 0, owned_by: 'kinora' }));
}

/** The id of the model that an alias stands for in an operation. Every other name stays as it is. */
export function toModelId(name: string, operation: Operation, aliases: readonly ModelAlias[]): string {
  return aliases.find((each) => each.alias === name && each.operation === operation)?.model ?? name;
}
