import { Controller } from '@nestjs/common';
import {
  catalogAdminRpc,
  catalogHealthRpc,
  catalogRpc,
  type ModelAlias,
  type ModelDetails,
  type Operation,
  type PriceChange,
  type PricesFor,
  type ResolvedModel,
  type SetPriceFactorRequest,
  type SetPriceRequest,
} from '@kinora/contracts/catalog/catalog.rpc';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import type { HealthReport } from '@kinora/contracts/shared/health';
import type { List, PageRequest, PartialList } from '@kinora/contracts/shared/page';
import { Handles } from '@kinora/bus';
import { Readiness } from '@kinora/service-kit';
import { ListLoras, ListModels } from './use-cases/list-models.query';
import { ListPrices } from './use-cases/list-prices.query';
import { ResolveModel } from './use-cases/resolve-model.query';
import { SetModelEnabled } from './use-cases/set-model-enabled.use-case';
import { SetPrice } from './use-cases/set-price.use-case';

/** Serves the RPC requests to the catalog. */
@Controller()
export class CatalogController {
  constructor(
    private readonly models: ListModels,
    private readonly listLorasUseCase: ListLoras,
    private readonly resolveModelUseCase: ResolveModel,
    private readonly setModelEnabledUseCase: SetModelEnabled,
    private readonly prices: ListPrices,
    private readonly setPriceUseCase: SetPrice,
  ) {}

  @Handles(catalogRpc.listModels)
  listModels(request: PricesFor): Promise<List<Model>> {
    return this.models.enabled(request);
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
  resolveModel(request: PricesFor & { model: string; operation: Operation }): Promise<ResolvedModel> {
    return this.resolveModelUseCase.execute(request);
  }

  @Handles(catalogAdminRpc.listAllModels)
  listAllModels(request: PricesFor): Promise<{ data: ModelDetails[] }> {
    return this.models.all(request);
  }

  @Handles(catalogAdminRpc.setModelEnabled)
  setModelEnabled(request: { model: string; enabled: boolean }): Promise<ModelDetails> {
    return this.setModelEnabledUseCase.execute(request);
  }

  @Handles(catalogAdminRpc.setPrice)
  setPrice(request: SetPriceRequest): Promise<PriceChange> {
    return this.setPriceUseCase.ofModel(request);
  }

  @Handles(catalogAdminRpc.setPriceFactor)
  setPriceFactor(request: SetPriceFactorRequest): Promise<PriceChange> {
    return this.setPriceUseCase.ofGroup(request);
  }

  @Handles(catalogAdminRpc.listPriceChanges)
  listPriceChanges(request: PageRequest & { model?: string }): Promise<PartialList<PriceChange>> {
    return this.prices.changes(request);
  }

  @Handles(catalogAdminRpc.listPriceGroups)
  listPriceGroups(_request: Record<string, never>): Promise<{ data: PriceChange[] }> {
    return this.prices.groups();
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
