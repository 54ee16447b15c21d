import { Injectable } from '@nestjs/common';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Catalog } from '../../catalog/catalog';
import { toLora } from '../../lora/lora.view';
import { ModelSwitchRepository } from '../../model/model-switch.repository';

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
