import { Injectable } from '@nestjs/common';
import type { ModelAlias, ModelDetails, PricesFor } from '@kinora/contracts/catalog/catalog.rpc';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { List } from '@kinora/contracts/shared/page';
import { Catalog } from '../catalog/catalog';
import { ModelSwitchRepository } from '../catalog/model-switch.repository';
import { toLora, toModel, toModelDetails } from '../catalog/model.view';
import { ModelPrices } from '../price/model-prices';

/** Lists models in the catalog's order. */
@Injectable()
export class ListModels {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
    private readonly prices: ModelPrices,
  ) {}

  /** The enabled models as clients see them. */
  async enabled({ price_group }: PricesFor): Promise<List<Model>> {
    const models = this.catalog.listModels();
    const [disabled, priceOf] = await Promise.all([
      this.switches.listDisabled(),
      this.prices.read(models, price_group),
    ]);
    const enabled = models.filter(({ id }) => !disabled.has(id));
    return { object: 'list', data: enabled.map((model) => toModel(model, priceOf(model))) };
  }

  /** For operators, including disabled ones. @throws ApiError not_found for an unknown price group */
  async all({ price_group }: PricesFor): Promise<{ data: ModelDetails[] }> {
    await this.prices.assertGroup(price_group);
    const models = this.catalog.listModels();
    const [disabled, priceOf] = await Promise.all([
      this.switches.listDisabled(),
      this.prices.read(models, price_group),
    ]);
    return { data: models.map((model) => toModelDetails(model, priceOf(model), !disabled.has(model.id))) };
  }

  /** All aliases: the name of a disabled model must not fall to the family of another one. */
  aliases(): Promise<{ data: ModelAlias[] }> {
    return Promise.resolve({ data: [...this.catalog.listAliases()] });
  }
}

/** Lists LoRAs in the order of the catalog: all of them, or those that an enabled model accepts. */
@Injectable()
export class ListLoras {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
  ) {}

  async execute({ model: id }: { model?: string }): Promise<LoraList> {
    if (id === undefined) return { object: 'list', data: this.catalog.listLoras().map(toLora) };
    const model = this.catalog.findModel(id);
    if (!model || (await this.switches.isDisabled(id)))
      throw new ApiError(
        'model_unavailable',
        'The model is unknown or disabled. GET /models lists the available models.',
        {
          param: 'model',
          // The default type of this code is for a 404. Here the resource exists and the filter is wrong, so the status
          // is 400.
          type: 'invalid_request_error',
        },
      );
    const data = this.catalog.listLorasOf(model).map(toLora);
    return { object: 'list', data, model: id, byo_urls: model.capabilities.loras === 'url' };
  }
}
