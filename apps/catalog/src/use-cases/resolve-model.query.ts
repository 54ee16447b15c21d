import { Injectable } from '@nestjs/common';
import type { Operation, PricesFor, ResolvedModel } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Catalog } from '../catalog/catalog';
import { ModelSwitchRepository } from '../catalog/model-switch.repository';
import { toResolvedModel } from '../catalog/model.view';
import { supports } from '../catalog/model-definition';
import { ModelPrices } from '../price/model-prices';

/**
 * Returns the model's fields that the jobs service needs, provided that the model is enabled and supports the operation.
 */
@Injectable()
export class ResolveModel {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
    private readonly prices: ModelPrices,
  ) {}

  async execute({
    model: id,
    operation,
    price_group,
  }: PricesFor & { model: string; operation: Operation }): Promise<ResolvedModel> {
    const model = this.catalog.findModel(id);
    if (!model || !supports(model, operation) || (await this.switches.isDisabled(id)))
      // All three cases get the same error, so that clients cannot distinguish them.
      throw new ApiError(
        'model_unavailable',
        'The model is unknown, disabled, or does not support this operation. GET /models lists the models and their capabilities.',
        {
          param: 'model',
        },
      );
    const priceOf = await this.prices.read([model], price_group);
    return toResolvedModel(model, priceOf(model), this.catalog.listLorasOf(model));
  }
}
