import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { type LedgerDays, ledgerDaysRpc, type LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { CheckResult, RecordCheckRequest } from '@kinora/contracts/console/checks.rpc';
import { type ComputeInstance, type JobTotals, jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { ListRequests, type RequestPage } from '../../requests/list-requests.query';
import { CheckResults } from '../checks/check-results';
import { AuditTrail } from '../audit/audit-trail';
import { CurrentOperator, type Operator, OperatorBus } from '../users/operator';
import { Requires } from '../users/permissions';
import { reasonField } from '../../http/body-fields';
import { type ListQuery, textsOf } from './query-fields';

/** The whole service at a glance. A part whose service does not answer is null, and the others are shown. */
export interface Overview {
  jobs: JobTotals | null;
  instances: ComputeInstance[] | null;
  ledger: LedgerDays | null;
  /** The last runs of `kinora doctor` and `kinora ledger verify`, of those that have run. */
  checks: CheckResult[];
}

const OVERVIEW_DAYS = 30;
const LEDGER_DAYS = 90;

/** The overview, the ledger by day, and the requests of all accounts. */
@Controller('admin/v1/operator')
export class OverviewController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
    private readonly checks: CheckResults,
    private readonly listRequests: ListRequests,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  @Get('overview')
  @Requires('view')
  async showOverview(): Promise<Overview> {
    const [jobs, compute, ledger, checks] = await Promise.all([
      this.bus.request(jobsAdminRpc.showTotals, {}).catch(() => null),
      this.bus.request(jobsAdminRpc.showCompute, {}).catch(() => null),
      this.bus.request(ledgerDaysRpc.listDays, { days: OVERVIEW_DAYS }).catch(() => null),
      this.checks.list(),
    ]);
    return { jobs, instances: compute?.instances ?? null, ledger, checks };
  }

  @Get('ledger')
  @Requires('view')
  showLedger(): Promise<LedgerDays> {
    return this.bus.request(ledgerDaysRpc.listDays, { days: LEDGER_DAYS });
  }

  /** Compares as many wallets with the ledger as fit into the time; the next page goes on at `next_account_id`. */
  @Post('ledger/verifications')
  @HttpCode(200)
  @Requires('verify_ledger')
  async verifyLedger(
    @CurrentOperator() by: Operator,
    @Query() query: ListQuery,
    @Body() body: unknown,
  ): Promise<LedgerReport> {
    const reason = reasonField(body);
    const place = textsOf(query, 'after_account_id');
    const report = await this.audit.run(
      by,
      { action: 'verify_ledger', reason },
      () => this.bus.request(billingAdminRpc.verifyLedger, place),
      ({ violations }) => ({ violations: violations.length }),
    );
    // Pages of a run are not added up here, so a run of several pages is shown to its operator only.
    const isWhole = place.after_account_id === undefined && report.next_account_id === null;
    if (isWhole) await this.record(report, by);
    return report;
  }

  @Get('requests')
  @Requires('view')
  showRequests(@Query() query: ListQuery): Promise<RequestPage> {
    return this.listRequests.execute(query, null);
  }

  /** The report is answered also where it cannot be kept for the overview: it may have found violations. */
  private async record(report: LedgerReport, by: Operator): Promise<void> {
    try {
      await this.checks.record(toCheck(report), by.email);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ check: 'ledger_verify', reason }, 'check_not_recorded');
    }
  }
}

function toCheck({ ok, accounts, entries, violations }: LedgerReport): RecordCheckRequest {
  const problems = violations.map(
    ({ rule, account_id, detail }) => `${rule}: ${account_id ?? 'all accounts'}, ${detail}`,
  );
  return { check: 'ledger_verify', ok, summary: `${accounts} accounts, ${entries} entries`, problems };
}
