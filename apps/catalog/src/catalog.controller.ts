import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type ModelAlias,
  type ModelDetails,
  type Operation,
  type ResolvedModel,
  catalogAdminRpc,
  catalogRpc,
} from '@kinora/contracts/catalog/catalog.rpc';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import type { List } from '@kinora/contracts/shared/page';
import { ListAliases } from './use-cases/list-aliases/list-aliases.query';
import { ListAllModels } from './use-cases/list-all-models/list-all-models.query';
import { ListLoras } from './use-cases/list-loras/list-loras.query';
import { ListModels } from './use-cases/list-models/list-models.query';
import { ResolveModel } from './use-cases/resolve-model/resolve-model.query';
import { SetModelEnabled } from './use-cases/set-model-enabled/set-model-enabled.use-case';

/** Serves the RPC requests to the catalog. */
@Controller()
export class CatalogController {
  constructor(
    private readonly listModelsUseCase: ListModels,
    private readonly listAliasesUseCase: ListAliases,
    private readonly listLorasUseCase: ListLoras,
    private readonly resolveModelUseCase: ResolveModel,
    private readonly listAllModelsUseCase: ListAllModels,
    private readonly setModelEnabledUseCase: SetModelEnabled,
  ) {}

  @Handles(catalogRpc.listModels)
  listModels(_request: Record<string, never>): Promise<List<Model>> {
    return this.listModelsUseCase.execute();
  }

  @Handles(catalogRpc.listAliases)
  listAliases(_request: Record<string, never>): Promise<{ data: ModelAlias[] }> {
    return this.listAliasesUseCase.execute();
  }

  @Handles(catalogRpc.listLoras)
  listLoras(request: { model?: string }): Promise<LoraList> {
    return this.listLorasUseCase.execute(request);
  }

  @Handles(catalogRpc.resolveModel)
  resolveModel(request: { model: string; operation: Operation }): Promise<ResolvedModel> {
    return this.resolveModelUseCase.execute(request);
  }

  @Handles(catalogAdminRpc.listAllModels)
  listAllModels(_request: Record<string, never>): Promise<{ data: ModelDetails[] }> {
    return this.listAllModelsUseCase.execute();
  }

  @Handles(catalogAdminRpc.setModelEnabled)
  setModelEnabled(request: { model: string; enabled: boolean }): Promise<ModelDetails> {
    return this.setModelEnabledUseCase.execute(request);
  }
}
