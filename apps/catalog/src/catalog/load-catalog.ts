import path from 'node:path';
import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import { OperatorDocument, type OperatorFile, readOperatorFile } from '@kinora/service-kit';
import { Catalog } from './catalog';
import { findModelProblem } from './find-model-problem';
import { LoraDefinition } from './lora-definition';
import { findAliasProblem, toAliases } from './model-aliases';
import { ModelDefinition } from './model-definition';

/** The content of a catalog file. The built-in file and the operator's file have the same form. */
class CatalogFile {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ModelDefinition)
  models: ModelDefinition[] = [];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LoraDefinition)
  loras: LoraDefinition[] = [];
}

/** Built in, unless an operator's instance has the same id. */
const SANDBOX = 'sandbox';

/**
 * The ids of the provider instances that routes may name, read from the operator's `providers.yaml`. The jobs service
 * validates the rest of that file.
 */
function readProviderIds(configDir: string): Set<string> {
  const document = configDir === '' ? null : OperatorDocument.open(path.join(configDir, 'providers.yaml'));
  const { providers } = (document?.plain ?? {}) as { providers?: unknown };
  const entries: unknown[] = Array.isArray(providers) ? providers : [];
  return new Set([SANDBOX, ...entries.map((entry) => String((entry as { id?: unknown } | null)?.id))]);
}

const BUILT_IN = path.join(__dirname, 'built-in-catalog.yaml');

type Models = ReadonlyMap<string, ModelDefinition>;

/**
 * Loads the built-in catalog, extended by the operator's `catalog.yaml`, whose entries replace built-in ones with the
 * same id. An empty `configDir` means that there is no such file.
 * @throws ConfigError that names the first wrong line
 */
export function loadCatalog(configDir: string): Catalog {
  const builtIn = readOperatorFile(BUILT_IN, CatalogFile);
  if (!builtIn) throw new Error(`${BUILT_IN} is missing from the build`);
  const operators = configDir === '' ? null : readOperatorFile(path.join(configDir, 'catalog.yaml'), CatalogFile);
  const added = operators?.content ?? new CatalogFile();
  const models: Models = byId([...builtIn.content.models, ...added.models]);
  assertConsistent(builtIn, byId(builtIn.content.models));
  if (operators) {
    assertConsistent(operators, models);
    assertRoutesLeadSomewhere(operators, readProviderIds(configDir));
  }
  const builtInModels = builtIn.content.models.filter((model) => models.get(model.id) === model);
  return new Catalog(
    models,
    byId([...stylesOf(builtIn.content.loras, models), ...added.loras]),
    toAliases(builtInModels, added.models),
  );
}

/** A later definition replaces an earlier one with the same id and keeps its place. */
function byId<Definition extends { id: string }>(definitions: Definition[]): Map<string, Definition> {
  return new Map(definitions.map((definition) => [definition.id, definition]));
}

/**
 * The built-in LoRAs are styles of the sandbox. A model that replaces a built-in one takes them only if it is a sandbox
 * model too, because no other provider knows them.
 */
function stylesOf(loras: LoraDefinition[], models: Models): LoraDefinition[] {
  const takesStyles = (id: string): boolean => {
    const { loras: taken, sandbox } = models.get(id)?.capabilities ?? {};
    return taken !== undefined && sandbox === true;
  };
  return loras
    .map((lora) => ({ ...lora, compatible_models: lora.compatible_models.filter(takesStyles) }))
    .filter(({ compatible_models }) => compatible_models.length > 0);
}

function assertConsistent(file: OperatorFile<CatalogFile>, models: Models): void {
  assertUniqueIds(file, 'models');
  for (const [index, model] of file.content.models.entries()) {
    const problem = findModelProblem(model);
    if (problem) throw file.errorAt(['models', index, ...problem.path], problem.rule);
  }
  const problem = findAliasProblem(file.content.models, (id) => models.has(id));
  if (problem) throw file.errorAt(['models', problem.model, 'aliases', problem.alias], problem.rule);
  assertUniqueIds(file, 'loras');
  for (const [index, { compatible_models }] of file.content.loras.entries()) {
    for (const [place, id] of compatible_models.entries()) {
      const at = ['loras', index, 'compatible_models', place];
      const model = models.get(id);
      if (!model) throw file.errorAt(at, 'is not a model of this catalog');
      if (!model.capabilities.loras) throw file.errorAt(at, 'is a model that takes no LoRAs');
    }
  }
}

function assertRoutesLeadSomewhere(file: OperatorFile<CatalogFile>, providerIds: Set<string>): void {
  for (const [index, { routes }] of file.content.models.entries()) {
    const place = routes.findIndex(({ provider }) => !providerIds.has(provider));
    if (place >= 0)
      throw file.errorAt(['models', index, 'routes', place, 'provider'], 'is neither sandbox nor in providers.yaml');
  }
}

function assertUniqueIds({ content, errorAt }: OperatorFile<CatalogFile>, list: 'models' | 'loras'): void {
  const ids = content[list].map(({ id }) => id);
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index);
  if (repeated >= 0) throw errorAt([list, repeated, 'id'], 'is defined twice');
}
