import { Injectable } from '@nestjs/common';
import type { ModelDetails } from '@kinora/contracts/catalog/catalog.rpc';
import { Catalog } from '../../catalog/catalog';
import { ModelSwitchRepository } from '../../model/model-switch.repository';
import { toModelDetails } from '../../model/model.view';

/** Lists all models for operators, including disabled ones. */
@Injectable()
export class ListAllModels {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
  ) {}

  async execute(): Promise<{ data: ModelDetails[] }> {
    const disabled = await this.switches.listDisabled();
    return { data: this.catalog.listModels().map((model) => toModelDetails(model, !disabled.has(model.id))) };
  }
}
