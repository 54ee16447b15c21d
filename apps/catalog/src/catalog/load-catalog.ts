import path from 'node:path';
import { type OperatorFile, readOperatorFile } from '@kinora/service-kit';
import { findModelProblem } from '../model/find-model-problem';
import { Catalog } from './catalog';
import { CatalogFile } from './catalog-file';

const BUILT_IN = path.join(__dirname, 'built-in-catalog.yaml');

/**
 * The built-in catalog with what the operator's `catalog.yaml` replaces and adds, by id; no folder means no such file.
 * @throws ConfigError that names the first wrong line.
 */
export function loadCatalog(configDir: string): Catalog {
  const files = [BUILT_IN, ...(configDir === '' ? [] : [path.join(configDir, 'catalog.yaml')])]
    .map((file) => readOperatorFile(file, CatalogFile))
    .filter((file) => file !== null);
  const models = new Map(files.flatMap(({ content }) => content.models).map((model) => [model.id, model]));
  const loras = new Map(files.flatMap(({ content }) => content.loras).map((lora) => [lora.id, lora]));
  for (const file of files) assertConsistent(file, models);
  return new Catalog(models, loras);
}

function assertConsistent({ content, errorAt }: OperatorFile<CatalogFile>, models: ReadonlyMap<string, unknown>): void {
  for (const [index, model] of content.models.entries()) {
    const problem = findModelProblem(model);
    if (problem) throw errorAt(['models', index, ...problem.path], problem.rule);
  }
  for (const [index, lora] of content.loras.entries()) {
    const unknown = lora.compatible_models.findIndex((id) => !models.has(id));
    if (unknown >= 0) throw errorAt(['loras', index, 'compatible_models', unknown], 'is no model of this catalog');
  }
}
