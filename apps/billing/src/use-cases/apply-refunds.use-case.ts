import { Injectable } from '@nestjs/common';
import { DisputeRepository } from '../payments/dispute.repository';
import { PaymentProviders } from '../payments/payment-providers';
import { PaymentRefundRepository } from '../payments/payment-refund.repository';
import { RefundBooking } from '../payments/refund-booking';
import type { RefundReport } from '../payments/reversal-provider.port';

/** Applies a refund as the provider reports it: one of its own pages is followed, and one that has failed is returned. */
@Injectable()
export class ApplyRefund {
  constructor(
    private readonly refunds: PaymentRefundRepository,
    private readonly disputes: DisputeRepository,
    private readonly providers: PaymentProviders,
    private readonly booking: RefundBooking,
  ) {}

  /** An event about a refund. */
  async receive(provider: string, reference: string): Promise<boolean> {
    return this.execute(provider, await this.providers.getReversals(provider).findRefund(reference));
  }

  /** @returns false for one that billing sends itself, or of a charge that it does not know. */
  async execute(provider: string, report: RefundReport): Promise<boolean> {
    const { reference, refunded } = report;
    const known = await this.refunds.findByReference(provider, reference);
    if (known) {
      if (report.state === 'failed') await this.booking.fail(known, report.reason);
      return true;
    }
    if (report.state === 'failed' || refunded === null) return false;
    const charged = await this.disputes.findCharged(provider, refunded.charge);
    if (!charged) return false;
    await this.booking.follow({ ...charged, provider, charge: refunded.charge }, reference, refunded.amount_micros);
    return true;
  }
}
