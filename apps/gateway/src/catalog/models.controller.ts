import { Controller, Get } from '@nestjs/common';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import type { Model } from '@kinora/contracts/catalog/model';
import type { List } from '@kinora/contracts/shared/page';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { OfferedModels } from './offered-models';

@Controller('models')
export class ModelsController {
  constructor(private readonly models: OfferedModels) {}

  @Get()
  @RoutePolicy({ ignoresUnknownQuery: true })
  @Operation({
    operationId: 'listModels',
    tag: 'Catalog',
    summary: 'List models',
    description: 'The models for jobs, with their capabilities and prices.',
    answers: { 200: 'The models.' },
    errors: catalogRpc.listModels.errors,
  })
  async list(): Promise<List<Model>> {
    return { object: 'list', data: await this.models.list() };
  }
}
