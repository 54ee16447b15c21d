import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { portalRpc } from '@kinora/contracts/billing/portal.rpc';
import type { UsageRequest } from '@kinora/contracts/jobs/jobs.rpc';
import type { UsageDetails, UsageDetailsRequest } from '@kinora/contracts/jobs/own-jobs.rpc';
import type { Usage, UsageGrouping, UsageViolation } from '@kinora/contracts/jobs/usage';
import { toUsd } from '@kinora/contracts/shared/money';
import { Database, OPEN_DAYS, daysAfter } from '@kinora/database';
import { JobMonths } from '../../job/job-months';
import { auditUsage } from '../usage-audit';
import { readUsagePeriod, type UsagePeriod } from '../usage-period';
import { UsageRepository, type UsageRow, type UsageSums } from '../usage.repository';

const NOTHING: UsageSums = {
  jobs: 0,
  succeeded: 0,
  failed: 0,
  canceled: 0,
  in_flight: 0,
  charged_micros: 0,
  gpu_ms: 0,
};

/** Maps the rows to the API (API: Usage). The total is the sum of the rows, so that the two always agree. */
export function toUsage({ from, to, truncated }: UsagePeriod, groupBy: UsageGrouping, rows: UsageRow[]): Usage {
  return {
    object: 'usage',
    from: from.toISOString(),
    to: to.toISOString(),
    group_by: groupBy,
    total: withUsd(rows.reduce<UsageSums>(add, NOTHING)),
    data: rows.map(withUsd),
    truncated,
  };
}

function add(sum: UsageSums, row: UsageSums): UsageSums {
  return {
    jobs: sum.jobs + row.jobs,
    succeeded: sum.succeeded + row.succeeded,
    failed: sum.failed + row.failed,
    canceled: sum.canceled + row.canceled,
    in_flight: sum.in_flight + row.in_flight,
    charged_micros: sum.charged_micros + row.charged_micros,
    gpu_ms: sum.gpu_ms + row.gpu_ms,
  };
}

function withUsd<Sums extends UsageSums>(sums: Sums): Sums & { charged_usd: number } {
  return { ...sums, charged_usd: toUsd(sums.charged_micros) };
}

@Injectable()
export class GetUsage {
  constructor(private readonly usage: UsageRepository) {}

  /** The usage of the account's jobs in a period, by day or by model. */
  async execute({ account_id: accountId, group_by: groupBy, ...params }: UsageRequest): Promise<Usage> {
    const period = readUsagePeriod(params, await this.usage.now());
    return toUsage(period, groupBy, await this.usage.sum(accountId, period, groupBy));
  }
}

/** The spend of a period by day and model, and how long its jobs took. */
@Injectable()
export class ShowUsageDetails {
  constructor(
    private readonly bus: Bus,
    private readonly usage: UsageRepository,
  ) {}

  /** @throws ApiError invalid_api_key, invalid_query */
  async execute({ key_sha256, ...params }: UsageDetailsRequest): Promise<UsageDetails> {
    const { account_id } = await this.bus.request(portalRpc.describeKey, { key_sha256 });
    const period = readUsagePeriod(params, await this.usage.now());
    const spend = await this.usage.listSpend(account_id, period);
    return { spend, latency: await this.usage.measureLatency(account_id, period) };
  }
}

@Injectable()
export class VerifyUsage {
  constructor(
    private readonly database: Database,
    private readonly months: JobMonths,
  ) {}

  /** Recounts all ended jobs and reports every sum of usage that differs. A job may be created days after its id. */
  async execute(): Promise<{ violations: UsageViolation[] }> {
    const keptFrom = await this.months.keptFrom();
    const since = keptFrom === null ? new Date(0) : daysAfter(keptFrom, OPEN_DAYS);
    return { violations: await this.database.transaction((transaction) => auditUsage(transaction, since)) };
  }
}
