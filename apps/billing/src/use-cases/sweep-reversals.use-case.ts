import { Injectable } from '@nestjs/common';
import { DisputeBooking } from '../payments/dispute-booking';
import { DisputeRepository } from '../payments/dispute.repository';
import { PaymentProviders } from '../payments/payment-providers';
import { RefundBooking } from '../payments/refund-booking';
import type { ReversalProvider } from '../payments/reversal-provider.port';

/** Longer than Stripe repeats a webhook. */
const LISTED_FOR_MS = 7 * 24 * 60 * 60_000;

/** Finds refunds and disputes whose webhook was lost, and the end of open disputes. It reads both sides page by page. */
@Injectable()
export class SweepReversals {
  constructor(
    private readonly disputes: DisputeRepository,
    private readonly providers: PaymentProviders,
    private readonly refundBooking: RefundBooking,
    private readonly disputeBooking: DisputeBooking,
  ) {}

  async execute(): Promise<void> {
    const { currentReversals } = this.providers;
    if (currentReversals) await this.applyRecent(currentReversals, new Date(Date.now() - LISTED_FOR_MS));
    await this.endDisputes();
  }

  private async applyRecent(provider: ReversalProvider, since: Date): Promise<void> {
    for await (const report of provider.listRefunds(since)) await this.refundBooking.apply(provider.name, report);
    for await (const report of provider.listDisputes(since)) await this.disputeBooking.apply(provider, report);
  }

  private async endDisputes(): Promise<void> {
    let open = await this.disputes.listOpen(null);
    for (let last = open.at(-1); last; last = open.at(-1)) {
      for (const { provider: name, reference } of open) {
        const provider = this.providers.getReversals(name);
        const report = await provider.findDispute(reference);
        if (report && report.state !== 'open') await this.disputeBooking.apply(provider, report);
      }
      open = await this.disputes.listOpen(last.id);
    }
  }
}
