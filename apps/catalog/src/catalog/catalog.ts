import type { ModelAlias } from '@kinora/contracts/catalog/catalog.rpc';
import type { LoraDefinition } from './lora-definition';
import type { ModelDefinition } from './model-definition';

/** All defined models and LoRAs, enabled or not. They do not change while the process runs. */
export class Catalog {
  constructor(
    private readonly models: ReadonlyMap<string, ModelDefinition>,
    private readonly loras: ReadonlyMap<string, LoraDefinition>,
    private readonly aliases: readonly ModelAlias[],
  ) {}

  listModels(): ModelDefinition[] {
    return [...this.models.values()];
  }

  findModel(id: string): ModelDefinition | null {
    return this.models.get(id) ?? null;
  }

  listAliases(): readonly ModelAlias[] {
    return this.aliases;
  }

  listLoras(): LoraDefinition[] {
    return [...this.loras.values()];
  }

  /** The LoRAs that the model accepts by id. */
  listLorasOf({ id, capabilities }: ModelDefinition): LoraDefinition[] {
    if (capabilities.loras === undefined) return [];
    return this.listLoras().filter(({ compatible_models }) => compatible_models.includes(id));
  }
}
