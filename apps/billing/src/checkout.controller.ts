import { Controller } from '@nestjs/common';
import {
  type Checkout,
  checkoutRpc,
  type CreateCheckoutRequest,
  type PaymentsExamination,
  paymentsHealthRpc,
  type PayRehearsalRequest,
  type Rehearsal,
  rehearsalRpc,
  type TopUpOffer,
} from '@kinora/contracts/billing/checkout.rpc';
import type { PresentedKeyRequest } from '@kinora/contracts/billing/portal.rpc';
import { Handles } from '@kinora/bus';
import { KeyProof } from './api-key/key-proof';
import { BillingConfig } from './billing.config';
import { PaymentProviders } from './payments/payment-providers';
import { CreateCheckout } from './use-cases/create-checkout.use-case';
import { RehearseCheckout } from './use-cases/rehearse-checkout.use-case';
import { ShowCheckout } from './use-cases/settle-checkouts.use-case';

/** Serves payments by the page of the provider. The key that a customer's request proves decides the account. */
@Controller()
export class CheckoutController {
  constructor(
    private readonly proof: KeyProof,
    private readonly config: BillingConfig,
    private readonly providers: PaymentProviders,
    private readonly createCheckout: CreateCheckout,
    private readonly showCheckout: ShowCheckout,
    private readonly rehearse: RehearseCheckout,
  ) {}

  @Handles(checkoutRpc.showOffer)
  async showOffer(request: PresentedKeyRequest): Promise<TopUpOffer> {
    await this.proof.getAdministrator(request);
    return { provider: this.providers.currentCheckouts?.name ?? null, ...this.config.topUpBounds };
  }

  @Handles(checkoutRpc.create)
  async create({ key_sha256, ...request }: CreateCheckoutRequest): Promise<Checkout> {
    const { account_id } = await this.proof.getAdministrator({ key_sha256 });
    return this.createCheckout.execute({ ...request, account_id });
  }

  @Handles(checkoutRpc.show)
  async show({ payment_id, ...proof }: PresentedKeyRequest & { payment_id: string }): Promise<Checkout> {
    const { account_id } = await this.proof.getAdministrator(proof);
    return this.showCheckout.execute({ account_id, payment_id });
  }

  @Handles(paymentsHealthRpc.examine)
  async examine(_request: Record<string, never>): Promise<PaymentsExamination> {
    const { currentCheckouts: provider } = this.providers;
    const problems = await provider?.findProblems().catch((error: unknown) => [String(error)]);
    return { provider: provider?.name ?? null, problems: problems ?? [] };
  }

  @Handles(rehearsalRpc.show)
  async showRehearsal({ payment_id, ...proof }: PresentedKeyRequest & { payment_id: string }): Promise<Rehearsal> {
    const { account_id } = await this.proof.getAdministrator(proof);
    return this.rehearse.show({ account_id, payment_id });
  }

  @Handles(rehearsalRpc.pay)
  async payRehearsal({
    key_sha256,
    ...request
  }: PayRehearsalRequest): Promise<{ outcome: 'paid' | 'declined' | 'needs_confirmation' }> {
    const { account_id } = await this.proof.getAdministrator({ key_sha256 });
    return this.rehearse.pay({ ...request, account_id });
  }
}
