import { Injectable } from '@nestjs/common';
import type { ModelDetails } from '@kinora/contracts/catalog/catalog.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Catalog } from '../../catalog/catalog';
import { ModelSwitchRepository } from '../../model/model-switch.repository';
import { toModelDetails } from '../../model/model.view';

/** Switches a model on or off for new jobs, in force at the next question, also after a restart. */
@Injectable()
export class SetModelEnabled {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
  ) {}

  async execute({ model: id, enabled }: { model: string; enabled: boolean }): Promise<ModelDetails> {
    const model = this.catalog.findModel(id);
    if (!model) throw new ApiError('not_found', 'There is no such model.');
    await this.switches.set(id, enabled);
    return toModelDetails(model, enabled);
  }
}
