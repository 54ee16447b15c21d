import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { catalogRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { ListLorasQuery } from '@kinora/contracts/catalog/list-loras.query';
import type { LoraList } from '@kinora/contracts/catalog/lora';
import { readQueryAs } from '../http/read-fields';
import { Door } from '../http/route-policy';

@Controller('loras')
export class LorasController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Door({ query: ['model'] })
  list(@Query() query: unknown): Promise<LoraList> {
    return this.bus.request(catalogRpc.listLoras, readQueryAs(ListLorasQuery, query));
  }
}
