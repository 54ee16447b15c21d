import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { UsageQuery } from '@kinora/contracts/jobs/usage.query';
import { CurrentCaller } from '../http/caller.decorator';
import { readQueryAs } from '../http/read-fields';
import { Door } from '../http/route-policy';

@Controller('usage')
export class UsageController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Door({ query: ['from', 'to', 'group_by'] })
  get(@CurrentCaller() { account_id }: Admission, @Query() query: unknown): Promise<Usage> {
    return this.bus.request(jobsRpc.getUsage, { account_id, group_by: 'day', ...readQueryAs(UsageQuery, query) });
  }
}
