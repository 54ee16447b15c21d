import { aliasCovers } from '@kinora/contracts/catalog/model';
import type { ModelAlias } from '@kinora/contracts/catalog/catalog.rpc';
import { type ModelDefinition, OPERATIONS, operationsOf } from './model-definition';

interface AliasProblem {
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

/**
 * The aliases of all models. An operator's alias replaces equal built-in ones, and those of its family, and none shadows a model.
 * A model whose id belongs to a family has its id as an alias too, so that its name never means another model.
 */
export function toAliases(builtIn: readonly ModelDefinition[], added: readonly ModelDefinition[]): ModelAlias[] {
  const ids = new Set([...builtIn, ...added].map(({ id }) => id));
  const own = added.flatMap(aliasesOf);
  const isReplaced = ({ alias, operation }: ModelAlias): boolean =>
    own.some((each) => each.operation === operation && aliasCovers(each.alias, alias));
  const kept = builtIn.flatMap(aliasesOf).filter((each) => !isReplaced(each));
  const aliases = [...own, ...kept].filter(({ alias }) => !ids.has(alias));
  const inFamily = [...ids].filter((id) => aliases.some(({ alias }) => aliasCovers(alias, id)));
  return [
    ...aliases,
    ...inFamily.flatMap((id) => OPERATIONS.map((operation) => ({ alias: id, operation, model: id }))),
  ];
}

function aliasesOf(model: ModelDefinition): ModelAlias[] {
  return model.aliases.flatMap((alias) =>
    operationsOf(model).map((operation) => ({ alias, operation, model: model.id })),
  );
}

function namesOf(model: ModelDefinition, alias: string): string[] {
  return operationsOf(model).map((operation) => `${operation} ${alias}`);
}
