import { Controller, Get } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import type { List } from '@kinora/contracts/shared/page';
import { Operation } from '../reference/operation.decorator';

@Controller('models')
export class ModelsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Operation({
    operationId: 'listModels',
    tag: 'Catalog',
    summary: 'List models',
    description: 'The models that jobs can be made with, what each can do, and its price.',
    answers: { 200: 'The models.' },
    errors: catalogRpc.listModels.errors,
  })
  list(): Promise<List<Model>> {
    return this.bus.request(catalogRpc.listModels, {});
  }
}
