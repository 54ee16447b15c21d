import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { OfferedModels } from '../catalog/offered-models';
import type { OfferedNames } from './openai-models';

/** Reads the models and their aliases. */
@Injectable()
export class OpenAiNames {
  constructor(
    private readonly bus: Bus,
    private readonly models: OfferedModels,
  ) {}

  async read(): Promise<OfferedNames> {
    const [models, { data: aliases }] = await Promise.all([
      this.models.list(),
      this.bus.request(catalogRpc.listAliases, {}),
    ]);
    return { models, aliases };
  }
}
