import { Injectable } from '@nestjs/common';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Catalog } from '../../catalog/catalog';
import { toLora } from '../../lora/lora.view';
import { ModelSwitchRepository } from '../../model/model-switch.repository';

/** Lists the LoRAs of the catalog in its order: all of them, or those that an enabled model accepts. */
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
        'The model is unknown or disabled. GET /models lists those that there are.',
        {
          param: 'model',
          // The list exists whatever the model: the filter is wrong.
          type: 'invalid_request_error',
        },
      );
    const data = this.catalog.listLorasOf(model).map(toLora);
    return { object: 'list', data, model: id, byo_urls: model.capabilities.loras === 'url' };
  }
}
