import { Controller } from '@nestjs/common';
import { type PaymentEvent, paymentEventRpc } from '@kinora/contracts/billing/checkout.rpc';
import { Handles } from '@kinora/bus';
import { ReceiveReversals } from './use-cases/receive-reversals.use-case';
import { SettleCheckout } from './use-cases/settle-checkouts.use-case';

/** Serves the gateway's verified events. One only names what to look up, so its order, its age and its repeats change nothing. */
@Controller()
export class PaymentEventsController {
  constructor(
    private readonly settleCheckout: SettleCheckout,
    private readonly reversals: ReceiveReversals,
  ) {}

  @Handles(paymentEventRpc.receive)
  async receive(event: PaymentEvent): Promise<{ handled: boolean }> {
    return { handled: await this.handle(event) };
  }

  private async handle({ provider, type, object_id }: PaymentEvent): Promise<boolean> {
    if (type.startsWith('checkout.session.')) return this.settleCheckout.receive(provider, object_id);
    if (type.startsWith('charge.dispute.')) return this.reversals.receiveDispute(provider, object_id);
    if (type.startsWith('refund.')) return this.reversals.receiveRefund(provider, object_id);
    return false;
  }
}
