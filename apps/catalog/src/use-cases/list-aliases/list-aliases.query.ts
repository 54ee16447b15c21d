import { Injectable } from '@nestjs/common';
import type { ModelAlias } from '@kinora/contracts/catalog/catalog.rpc';
import { Catalog } from '../../catalog/catalog';

/** Lists all aliases: the name of a disabled model must not fall to the family of another one. */
@Injectable()
export class ListAliases {
  constructor(private readonly catalog: Catalog) {}

  execute(): Promise<{ data: ModelAlias[] }> {
    return Promise.resolve({ data: [...this.catalog.listAliases()] });
  }
}
