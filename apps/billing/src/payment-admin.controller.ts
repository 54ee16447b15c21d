import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AccountListRequest,
  type AutoRechargeDetails,
  type EndPaymentRequest,
  type PaymentDetails,
  type SetAutoRechargeRequest,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { PartialList } from '@kinora/contracts/shared/page';
import { EndPayment } from './use-cases/end-payment/end-payment.use-case';
import { ListPayments } from './use-cases/list-payments/list-payments.query';
import { SetAutoRecharge } from './use-cases/set-auto-recharge/set-auto-recharge.use-case';

/** Serves the operators' requests about payments. */
@Controller()
export class PaymentAdminController {
  constructor(
    private readonly setAutoRechargeUseCase: SetAutoRecharge,
    private readonly listPaymentsUseCase: ListPayments,
    private readonly endPaymentUseCase: EndPayment,
  ) {}

  @Handles(billingAdminRpc.setAutoRecharge)
  setAutoRecharge(request: SetAutoRechargeRequest): Promise<AutoRechargeDetails> {
    return this.setAutoRechargeUseCase.execute(request);
  }

  @Handles(billingAdminRpc.listPayments)
  listPayments(request: AccountListRequest): Promise<PartialList<PaymentDetails>> {
    return this.listPaymentsUseCase.execute(request);
  }

  @Handles(billingAdminRpc.endPayment)
  endPayment(request: EndPaymentRequest): Promise<PaymentDetails> {
    return this.endPaymentUseCase.execute(request);
  }
}
