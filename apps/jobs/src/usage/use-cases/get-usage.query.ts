import { Injectable } from '@nestjs/common';
import type { UsageRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { Usage, UsageViolation } from '@kinora/contracts/jobs/usage';
import { Database } from '@kinora/database';
import { auditUsage } from '../usage-audit';
import { readUsagePeriod } from '../usage-period';
import { UsageRepository } from '../usage.repository';
import { toUsage } from '../usage.view';

@Injectable()
export class GetUsage {
  constructor(private readonly usage: UsageRepository) {}

  /** The usage of the account's jobs in a period, by day or by model. */
  async execute({ account_id: accountId, group_by: groupBy, ...params }: UsageRequest): Promise<Usage> {
    const period = readUsagePeriod(params, await this.usage.now());
    return toUsage(period, groupBy, await this.usage.sum(accountId, period, groupBy));
  }
}

@Injectable()
export class VerifyUsage {
  constructor(private readonly database: Database) {}

  /** Recounts all ended jobs and reports every sum of usage that differs. */
  async execute(): Promise<{ violations: UsageViolation[] }> {
    return { violations: await this.database.transaction(auditUsage) };
  }
}
