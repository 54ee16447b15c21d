import { Controller } from '@nestjs/common';
import {
  catalogAdminRpc,
  catalogHealthRpc,
  catalogRpc,
  type ModelAlias,
  type ModelDetails,
  type Operation,
  type ResolvedModel,
} from '@kinora/contracts/catalog/catalog.rpc';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import type { HealthReport } from '@kinora/contracts/shared/health';
import type { List } from '@kinora/contracts/shared/page';
import { Handles } from '@kinora/bus';
import { Readiness } from '@kinora/service-kit';
import { ListLoras, ListModels } from './use-cases/list-models.query';
import { ResolveModel } from './use-cases/resolve-model.query';
import { SetModelEnabled } from './use-cases/set-model-enabled.use-case';

/** Serves the RPC requests to the catalog. */
@Controller()
export class CatalogController {
  constructor(
    private readonly models: ListModels,
    private readonly listLorasUseCase: ListLoras,
    private readonly resolveModelUseCase: ResolveModel,
    private readonly setModelEnabledUseCase: SetModelEnabled,
  ) {}

  @Handles(catalogRpc.listModels)
  listModels(_request: Record<string, never>): Promise<List<Model>> {
    return this.models.enabled();
  }

  @Handles(catalogRpc.listAliases)
  listAliases(_request: Record<string, never>): Promise<{ data: ModelAlias[] }> {
    return this.models.aliases();
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
    return this.models.all();
  }

  @Handles(catalogAdminRpc.setModelEnabled)
  setModelEnabled(request: { model: string; enabled: boolean }): Promise<ModelDetails> {
    return this.setModelEnabledUseCase.execute(request);
  }
}

/** Serves health checks over the broker, for operators without access to the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(catalogHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
