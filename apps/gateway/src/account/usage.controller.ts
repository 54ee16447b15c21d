import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import type { Admission } from '@kinora/contracts/billing/billing.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { UsageQuery } from '@kinora/contracts/jobs/usage.query';
import { CurrentCaller } from '../http/caller.decorator';
import { readQueryAs } from '../http/read-fields';
import { RoutePolicy } from '../http/route-policy';
import { Operation } from '../reference/operation.decorator';

@Controller('usage')
export class UsageController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RoutePolicy({ query: ['from', 'to', 'group_by'] })
  @Operation({
    operationId: 'getUsage',
    tag: 'Account',
    summary: 'Sum up jobs',
    description:
      'Sums of the jobs that were created within a period, by day (UTC) or by model. Empty groups are left out. ' +
      'Of more than 366 days only the newest 366 are returned, and `truncated` is true.',
    answers: { 200: 'The sums.' },
    query: UsageQuery,
    errors: jobsRpc.getUsage.errors,
  })
  get(@CurrentCaller() { account_id }: Admission, @Query() query: unknown): Promise<Usage> {
    return this.bus.request(jobsRpc.getUsage, { account_id, group_by: 'day', ...readQueryAs(UsageQuery, query) });
  }
}
