import type { ModelAlias } from '@kinora/contracts/catalog/catalog.rpc';
import type { ModelDefinition } from './model-definition';
import { operationsOf } from './supported-operations';

export interface AliasProblem {
  model: number;
  alias: number;
  rule: string;
}

/**
 * Finds an alias that would shadow a model, or another alias of the same operation. One alias may name a model for
 * generations and another one for edits.
 */
export function findAliasProblem(
  models: readonly ModelDefinition[],
  isModelId: (id: string) => boolean,
): AliasProblem | null {
  const seen = new Set<string>();
  for (const [place, model] of models.entries()) {
    for (const [index, alias] of model.aliases.entries()) {
      const problem = { model: place, alias: index };
      if (isModelId(alias)) return { ...problem, rule: 'is the id of a model' };
      const names = namesOf(model, alias);
      if (names.some((name) => seen.has(name)))
        return { ...problem, rule: 'is already an alias of another model for the same operation' };
      for (const name of names) seen.add(name);
    }
  }
  return null;
}

/** The aliases of all models. Those of a later model replace equal ones of an earlier model, and none shadows a model. */
export function toAliases(models: readonly ModelDefinition[]): ModelAlias[] {
  const ids = new Set(models.map(({ id }) => id));
  const aliases = new Map<string, ModelAlias>();
  for (const model of models) {
    for (const alias of model.aliases.filter((name) => !ids.has(name))) {
      for (const operation of operationsOf(model))
        aliases.set(`${operation} ${alias}`, { alias, operation, model: model.id });
    }
  }
  return [...aliases.values()];
}

function namesOf(model: ModelDefinition, alias: string): string[] {
  return operationsOf(model).map((operation) => `${operation} ${alias}`);
}
