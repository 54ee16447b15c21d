import { Injectable } from '@nestjs/common';
import { DisputeBooking } from '../payments/dispute-booking';
import { PaymentProviders } from '../payments/payment-providers';
import { RefundBooking } from '../payments/refund-booking';

/** Looks up the refund or the dispute that an event of the provider names, and books it. */
@Injectable()
export class ReceiveReversals {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly refunds: RefundBooking,
    private readonly disputes: DisputeBooking,
  ) {}

  async receiveRefund(provider: string, reference: string): Promise<boolean> {
    return this.refunds.apply(provider, await this.providers.getReversals(provider).findRefund(reference));
  }

  async receiveDispute(name: string, reference: string): Promise<boolean> {
    const provider = this.providers.getReversals(name);
    const report = await provider.findDispute(reference);
    return report !== null && (await this.disputes.apply(provider, report));
  }
}
