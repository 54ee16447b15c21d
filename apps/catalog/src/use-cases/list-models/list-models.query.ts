import { Injectable } from '@nestjs/common';
import type { Model } from '@kinora/contracts/catalog/model';
import type { List } from '@kinora/contracts/shared/page';
import { Catalog } from '../../catalog/catalog';
import { ModelSwitchRepository } from '../../model/model-switch.repository';
import { toModel } from '../../model/model.view';

/** Lists the enabled models as clients see them, in the catalog's order. */
@Injectable()
export class ListModels {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
  ) {}

  async execute(): Promise<List<Model>> {
    const disabled = await this.switches.listDisabled();
    const enabled = this.catalog.listModels().filter(({ id }) => !disabled.has(id));
    return { object: 'list', data: enabled.map(toModel) };
  }
}
