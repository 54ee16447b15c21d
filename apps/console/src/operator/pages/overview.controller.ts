import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { type LedgerDays, ledgerDaysRpc } from '@kinora/contracts/billing/ledger-days.rpc';
import { billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { LedgerReport } from '@kinora/contracts/billing/ledger-report';
import { type ComputeInstance, type JobTotals, jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { ListRequests, type RequestPage } from '../../requests/list-requests.query';
import { AuditTrail } from '../audit/audit-trail';
import { OperatorBus } from '../operator-bus';
import { CurrentOperator, type Operator } from '../users/operator';
import { Requires } from '../users/permissions';
import { type ListQuery, textsOf } from './query-fields';

/** The whole service at a glance. A part whose service does not answer is null, and the others are shown. */
export interface Overview {
  jobs: JobTotals | null;
  instances: ComputeInstance[] | null;
  ledger: LedgerDays | null;
}

const OVERVIEW_DAYS = 30;
const LEDGER_DAYS = 90;

/** The overview, the ledger by day, and the requests of all accounts. */
@Controller('admin/v1/operator')
export class OverviewController {
  constructor(
    private readonly bus: OperatorBus,
    private readonly audit: AuditTrail,
    private readonly listRequests: ListRequests,
  ) {}

  @Get('overview')
  @Requires('view')
  async showOverview(): Promise<Overview> {
    const [jobs, compute, ledger] = await Promise.all([
      this.bus.request(jobsAdminRpc.showTotals, {}).catch(() => null),
      this.bus.request(jobsAdminRpc.showCompute, {}).catch(() => null),
      this.bus.request(ledgerDaysRpc.listDays, { days: OVERVIEW_DAYS }).catch(() => null),
    ]);
    return { jobs, instances: compute?.instances ?? null, ledger };
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
  verifyLedger(@CurrentOperator() by: Operator, @Query() query: ListQuery): Promise<LedgerReport> {
    return this.audit.run(
      by,
      { action: 'verify_ledger' },
      () => this.bus.request(billingAdminRpc.verifyLedger, textsOf(query, 'after_account_id')),
      ({ violations }) => ({ violations: violations.length }),
    );
  }

  @Get('requests')
  @Requires('view')
  showRequests(@Query() query: ListQuery): Promise<RequestPage> {
    return this.listRequests.execute(query, null);
  }
}
