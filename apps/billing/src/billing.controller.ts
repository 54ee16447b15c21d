import { Controller } from '@nestjs/common';
import type { Account } from '@kinora/contracts/billing/account';
import {
  billingHealthRpc,
  billingRpc,
  type ChargingHoldsRequest,
  type FundsRequest,
  type HoldEnd,
  type JobEntry,
  type KnownHold,
  type OpenHold,
  type OpenHoldsRequest,
  type Reservation,
  type ReserveRequest,
} from '@kinora/contracts/billing/billing.rpc';
import type { HealthReport } from '@kinora/contracts/shared/health';
import { Handles } from '@kinora/bus';
import { Readiness } from '@kinora/service-kit';
import { CheckFunds } from './use-cases/check-funds.query';
import { Capture, Refund } from './use-cases/end-hold.use-case';
import { FindHolds } from './use-cases/find-holds.query';
import { GetAccount } from './use-cases/get-account.query';
import { Reserve } from './use-cases/reserve.use-case';
import { GetWebhookSecrets } from './use-cases/rotate-webhook-secret.use-case';

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

/** Serves the requests of the jobs service about holds. */
@Controller()
export class HoldsController {
  constructor(private readonly holds: FindHolds) {}

  @Handles(billingRpc.listOpenHolds)
  listOpenHolds(request: OpenHoldsRequest): Promise<{ holds: OpenHold[] }> {
    return this.holds.open(request);
  }

  @Handles(billingRpc.findHolds)
  findHolds(request: { job_ids: string[] }): Promise<{ holds: KnownHold[] }> {
    return this.holds.byJobs(request);
  }

  @Handles(billingRpc.findJobEntries)
  findJobEntries(request: { job_id: string }): Promise<{ entries: JobEntry[] }> {
    return this.holds.entriesOf(request);
  }

  @Handles(billingRpc.listChargingHolds)
  listChargingHolds(request: ChargingHoldsRequest): Promise<{ holds: KnownHold[] }> {
    return this.holds.charging(request);
  }
}

/** Serves health checks over the broker, for operators without access to the health port. */
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Handles(billingHealthRpc.check)
  check(_request: Record<string, never>): Promise<HealthReport> {
    return this.readiness.report();
  }
}
