import { Injectable } from '@nestjs/common';
import type { ModelDetails } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Catalog } from '../catalog/catalog';
import { ModelSwitchRepository } from '../catalog/model-switch.repository';
import { toModelDetails } from '../catalog/model.view';
import { ModelPrices } from '../price/model-prices';

/** Enables or disables a model for new jobs. The change takes effect with the next request and survives restarts. */
@Injectable()
export class SetModelEnabled {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
    private readonly prices: ModelPrices,
  ) {}

  async execute({ model: id, enabled }: { model: string; enabled: boolean }): Promise<ModelDetails> {
    const model = this.catalog.findModel(id);
    if (!model) throw new ApiError('not_found', 'There is no such model.');
    await this.switches.set(id, enabled);
    const priceOf = await this.prices.read([model], undefined);
    return toModelDetails(model, priceOf(model), enabled);
  }
}
