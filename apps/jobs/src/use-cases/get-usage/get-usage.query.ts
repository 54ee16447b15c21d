import { Injectable } from '@nestjs/common';
import type { UsageRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { Usage } from '@kinora/contracts/jobs/usage';
import { readUsagePeriod } from '../../usage/usage-period';
import { UsageRepository } from '../../usage/usage.repository';
import { toUsage } from '../../usage/usage.view';

@Injectable()
export class GetUsage {
  constructor(private readonly usage: UsageRepository) {}

  /** The usage of the account's jobs in a period, by day or by model. */
  async execute({ account_id: accountId, group_by: groupBy, ...params }: UsageRequest): Promise<Usage> {
    const period = readUsagePeriod(params, await this.usage.now());
    return toUsage(period, groupBy, await this.usage.sum(accountId, period, groupBy));
  }
}
