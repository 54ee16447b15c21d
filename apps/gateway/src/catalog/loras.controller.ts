import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { ListLorasQuery } from '@kinora/contracts/catalog/list-loras.query';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import { readQueryAs } from '../http/read-fields';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

@Controller('loras')
export class LorasController {
  constructor(private readonly bus: Bus) {}

  @Get()
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
  list(@Query() query: unknown): Promise<LoraList> {
    return this.bus.request(catalogRpc.listLoras, readQueryAs(ListLorasQuery, query));
  }
}
