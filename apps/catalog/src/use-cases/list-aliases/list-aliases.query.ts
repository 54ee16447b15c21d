import { Injectable } from '@nestjs/common';
import type { ModelAlias } from '@kinora/contracts/catalog/catalog.rpc';
import { Catalog } from '../../catalog/catalog';
import { ModelSwitchRepository } from '../../model/model-switch.repository';

/** Lists the aliases of the enabled models. */
@Injectable()
export class ListAliases {
  constructor(
    private readonly catalog: Catalog,
    private readonly switches: ModelSwitchRepository,
  ) {}

  async execute(): Promise<{ data: ModelAlias[] }> {
    const disabled = await this.switches.listDisabled();
    return { data: this.catalog.listAliases().filter(({ model }) => !disabled.has(model)) };
  }
}
