import { Controller, Get, Query } from '@nestjs/common';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { ListLorasQuery, type LoraList } from '@kinora/contracts/catalog/lora';
import type { Model } from '@kinora/contracts/catalog/model';
import type { List } from '@kinora/contracts/shared/page';
import { Bus } from '@kinora/bus';
import { CurrentCaller } from '../http/parameters.decorator';
import { readQueryAs } from '../http/read-fields';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';
import { OfferedModels } from './offered-models';

@Controller()
export class CatalogController {
  constructor(
    private readonly bus: Bus,
    private readonly models: OfferedModels,
  ) {}

  @Get('models')
  @RoutePolicy({ ignoresUnknownQuery: true })
  @Operation({
    operationId: 'listModels',
    tag: 'Catalog',
    summary: 'List models',
    description: 'The models for jobs, with their capabilities and the prices of the account.',
    answers: { 200: 'The models.' },
    errors: catalogRpc.listModels.errors,
  })
  async listModels(@CurrentCaller() { price_group }: Admission): Promise<List<Model>> {
    return { object: 'list', data: await this.models.list(price_group) };
  }

  @Get('loras')
  @RoutePolicy({ query: ['model'] })
  @Operation({
    operationId: 'listLoras',
    tag: 'Catalog',
    summary: 'List LoRAs',
    description: 'All LoRAs of the catalog, or those that one model accepts.',
    answers: { 200: 'The LoRAs.' },
    query: ListLorasQuery,
    errors: catalogRpc.listLoras.errors,
    errorTypes: { model_unavailable: 'invalid_request_error' },
  })
  listLoras(@Query() query: unknown): Promise<LoraList> {
    return this.bus.request(catalogRpc.listLoras, readQueryAs(ListLorasQuery, query));
  }
}
