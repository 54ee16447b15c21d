import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import type { Account } from '@kinora/contracts/billing/account';
import {
  type FundsRequest,
  type HoldEnd,
  type Reservation,
  type ReserveRequest,
  billingRpc,
} from '@kinora/contracts/billing/billing.rpc';
import { Capture } from './use-cases/capture/capture.use-case';
import { CheckFunds } from './use-cases/check-funds/check-funds.query';
import { GetAccount } from './use-cases/get-account/get-account.query';
import { GetWebhookSecrets } from './use-cases/get-webhook-secrets/get-webhook-secrets.query';
import { Refund } from './use-cases/refund/refund.use-case';
import { Reserve } from './use-cases/reserve/reserve.use-case';

/** Serves the requests of the other contexts to billing. */
@Controller()
export class BillingController {
  constructor(
    private readonly getAccountUseCase: GetAccount,
    private readonly checkFundsQuery: CheckFunds,
    private readonly reserveUseCase: Reserve,
    private readonly captureUseCase: Capture,
    private readonly refundUseCase: Refund,
    private readonly getWebhookSecretsUseCase: GetWebhookSecrets,
  ) {}

  @Handles(billingRpc.getAccount)
  getAccount(request: { account_id: string; api_key_id: string }): Promise<Account> {
    return this.getAccountUseCase.execute(request);
  }

  @Handles(billingRpc.checkFunds)
  checkFunds(request: FundsRequest): Promise<Record<string, never>> {
    return this.checkFundsQuery.execute(request);
  }

  @Handles(billingRpc.reserve)
  reserve(request: ReserveRequest): Promise<Reservation> {
    return this.reserveUseCase.execute(request);
  }

  @Handles(billingRpc.capture)
  capture(request: { job_id: string }): Promise<HoldEnd> {
    return this.captureUseCase.execute(request);
  }

  @Handles(billingRpc.refund)
  refund(request: { job_id: string }): Promise<HoldEnd> {
    return this.refundUseCase.execute(request);
  }

  @Handles(billingRpc.getWebhookSecrets)
  getWebhookSecrets(request: { account_id: string }): Promise<{ secrets: string[] }> {
    return this.getWebhookSecretsUseCase.execute(request);
  }
}
