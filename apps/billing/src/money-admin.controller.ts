import { Controller } from '@nestjs/common';
import {
  type AccountDetails,
  type AccountListRequest,
  type AdjustBalanceRequest,
  type AutoRechargeDetails,
  billingAdminRpc,
  type EndPaymentRequest,
  type PaymentDetails,
  type SetAutoRechargeRequest,
  type ToppedUpAccount,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { OpenHold } from '@kinora/contracts/billing/billing.rpc';
import {
  type LedgerDays,
  ledgerDaysRpc,
  type LedgerMonthPage,
  ledgerMonthRpc,
  type LedgerMonthState,
  type LedgerReport,
  type ReadLedgerMonthRequest,
  type RecordLedgerExportRequest,
  type TopUpRequest,
  type VerifyLedgerRequest,
} from '@kinora/contracts/billing/ledger.rpc';
import type { Statement, StatementRequest } from '@kinora/contracts/billing/statement';
import {
  type PaymentRefundDetails,
  type RefundPaymentRequest,
  reversalRpc,
} from '@kinora/contracts/billing/reversal.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import type { RetentionPlan } from '@kinora/contracts/shared/retention';
import { Handles } from '@kinora/bus';
import { AdjustBalance, GrantCredit, TopUp } from './use-cases/change-balance.use-case';
import { EndPayment } from './use-cases/end-payment.use-case';
import { ListLedgerDays } from './use-cases/list-ledger-days.query';
import { ListRecords } from './use-cases/list-records.query';
import { GetStatement } from './use-cases/list-statement.query';
import { ReadLedgerMonth } from './use-cases/read-ledger-month.query';
import { RecordLedgerExport, ShowLedgerMonth } from './use-cases/record-ledger-export.use-case';
import { RefundPayment } from './use-cases/refund-payment.use-case';
import { SetAutoRecharge } from './use-cases/set-auto-recharge.use-case';
import { VerifyLedger } from './use-cases/verify-ledger.use-case';
import { LedgerRanges } from './wallet/ledger-ranges';

/** Serves the operators' requests about the money of an account. */
@Controller()
export class BalanceAdminController {
  constructor(
    private readonly topUpUseCase: TopUp,
    private readonly grantCreditUseCase: GrantCredit,
    private readonly adjustBalanceUseCase: AdjustBalance,
    private readonly getStatementUseCase: GetStatement,
    private readonly records: ListRecords,
  ) {}

  @Handles(billingAdminRpc.topUp)
  topUp(request: TopUpRequest): Promise<AccountDetails> {
    return this.topUpUseCase.execute(request);
  }

  @Handles(billingAdminRpc.grantCredit)
  grantCredit(request: TopUpRequest): Promise<AccountDetails> {
    return this.grantCreditUseCase.execute(request);
  }

  @Handles(billingAdminRpc.adjustBalance)
  adjustBalance(request: AdjustBalanceRequest): Promise<ToppedUpAccount> {
    return this.adjustBalanceUseCase.execute(request);
  }

  @Handles(billingAdminRpc.getStatement)
  getStatement(request: StatementRequest): Promise<Statement> {
    return this.getStatementUseCase.execute(request);
  }

  @Handles(billingAdminRpc.listHolds)
  listHolds(request: AccountListRequest): Promise<PartialList<OpenHold>> {
    return this.records.listHolds(request);
  }
}

/** Serves the operators' requests about the ledger of all accounts. */
@Controller()
export class LedgerAdminController {
  constructor(
    private readonly verifyLedgerUseCase: VerifyLedger,
    private readonly listLedgerDaysQuery: ListLedgerDays,
    private readonly readLedgerMonthQuery: ReadLedgerMonth,
    private readonly showLedgerMonthQuery: ShowLedgerMonth,
    private readonly recordLedgerExport: RecordLedgerExport,
    private readonly ranges: LedgerRanges,
  ) {}

  @Handles(billingAdminRpc.verifyLedger)
  verifyLedger(request: VerifyLedgerRequest): Promise<LedgerReport> {
    return this.verifyLedgerUseCase.execute(request);
  }

  @Handles(ledgerDaysRpc.listDays)
  listLedgerDays(request: { days?: number }): Promise<LedgerDays> {
    return this.listLedgerDaysQuery.execute(request);
  }

  @Handles(ledgerMonthRpc.read)
  readLedgerMonth(request: ReadLedgerMonthRequest): Promise<LedgerMonthPage> {
    return this.readLedgerMonthQuery.execute(request);
  }

  @Handles(ledgerMonthRpc.planRetention)
  planRetention(_request: Record<string, never>): Promise<RetentionPlan> {
    return this.ranges.plan();
  }

  @Handles(ledgerMonthRpc.show)
  showLedgerMonth(request: { month: string }): Promise<LedgerMonthState> {
    return this.showLedgerMonthQuery.execute(request);
  }

  @Handles(ledgerMonthRpc.recordExport)
  recordExport(request: RecordLedgerExportRequest): Promise<LedgerMonthState> {
    return this.recordLedgerExport.execute(request);
  }
}

/** Serves the operators' requests about payments. */
@Controller()
export class PaymentAdminController {
  constructor(
    private readonly setAutoRechargeUseCase: SetAutoRecharge,
    private readonly records: ListRecords,
    private readonly endPaymentUseCase: EndPayment,
    private readonly refundPaymentUseCase: RefundPayment,
  ) {}

  @Handles(billingAdminRpc.setAutoRecharge)
  setAutoRecharge(request: SetAutoRechargeRequest): Promise<AutoRechargeDetails> {
    return this.setAutoRechargeUseCase.execute(request);
  }

  @Handles(billingAdminRpc.listPayments)
  listPayments(request: AccountListRequest): Promise<PartialList<PaymentDetails>> {
    return this.records.listPayments(request);
  }

  @Handles(billingAdminRpc.endPayment)
  endPayment(request: EndPaymentRequest): Promise<PaymentDetails> {
    return this.endPaymentUseCase.execute(request);
  }

  @Handles(reversalRpc.refundPayment)
  refundPayment(request: RefundPaymentRequest): Promise<PaymentRefundDetails> {
    return this.refundPaymentUseCase.execute(request);
  }
}
