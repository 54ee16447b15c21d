import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AccountDetails,
  type AccountListRequest,
  type AdjustBalanceRequest,
  type ToppedUpAccount,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { TopUpRequest } from '@kinora/contracts/billing/deposit';
import { type LedgerDays, ledgerDaysRpc } from '@kinora/contracts/billing/ledger-days.rpc';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger-report';
import type { OpenHold } from '@kinora/contracts/billing/billing.rpc';
import type { Statement, StatementRequest } from '@kinora/contracts/billing/statement';
import type { PartialList } from '@kinora/contracts/shared/page';
import { AdjustBalance } from './use-cases/adjust-balance/adjust-balance.use-case';
import { GetStatement } from './use-cases/get-statement/get-statement.query';
import { GrantCredit } from './use-cases/grant-credit/grant-credit.use-case';
import { ListHolds } from './use-cases/list-holds/list-holds.query';
import { ListLedgerDays } from './use-cases/list-ledger-days/list-ledger-days.query';
import { TopUp } from './use-cases/top-up/top-up.use-case';
import { VerifyLedger } from './use-cases/verify-ledger/verify-ledger.use-case';

/** Serves the operators' requests about money. */
@Controller()
export class LedgerAdminController {
  constructor(
    private readonly topUpUseCase: TopUp,
    private readonly grantCreditUseCase: GrantCredit,
    private readonly adjustBalanceUseCase: AdjustBalance,
    private readonly getStatementUseCase: GetStatement,
    private readonly listHoldsUseCase: ListHolds,
    private readonly verifyLedgerUseCase: VerifyLedger,
    private readonly listLedgerDaysQuery: ListLedgerDays,
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
    return this.listHoldsUseCase.execute(request);
  }

  @Handles(billingAdminRpc.verifyLedger)
  verifyLedger(request: VerifyLedgerRequest): Promise<LedgerReport> {
    return this.verifyLedgerUseCase.execute(request);
  }

  @Handles(ledgerDaysRpc.listDays)
  listLedgerDays(request: { days?: number }): Promise<LedgerDays> {
    return this.listLedgerDaysQuery.execute(request);
  }
}
