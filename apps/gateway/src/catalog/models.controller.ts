import { Controller, Get } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import type { List } from '@kinora/contracts/shared/page';

@Controller('models')
export class ModelsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  list(): Promise<List<Model>> {
    return this.bus.request(catalogRpc.listModels, {});
  }
}
