import { Injectable } from '@nestjs/common';
import type { UnitPrice } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { ModelDefinition } from '../catalog/model-definition';
import { PriceChangeRepository } from './price-change.repository';
import { unitPriceOf } from './unit-price';

/** What models cost now. */
@Injectable()
export class ModelPrices {
  constructor(private readonly changes: PriceChangeRepository) {}

  /** For the accounts of a group, which pay the price list where the group is unknown. */
  async read(models: ModelDefinition[], group: string | undefined): Promise<(model: ModelDefinition) => UnitPrice> {
    const inForce = await this.changes.listInForce(
      models.map(({ id }) => id),
      group,
    );
    return (model) => unitPriceOf(model, inForce);
  }

  /** @throws ApiError not_found */
  async assertGroup(group: string | undefined): Promise<void> {
    if (group === undefined || (await this.changes.hasGroup(group))) return;
    const message = `There is no price group ${group}. kinora price group set makes one.`;
    throw new ApiError('not_found', message, { param: 'price_group' });
  }
}
