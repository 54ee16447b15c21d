import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { accountStatusProblem } from '@kinora/contracts/billing/account';
import type { AccountDetails } from '@kinora/contracts/billing/billing-admin.rpc';
import type { Checkout, CreateCheckoutRequest } from '@kinora/contracts/billing/checkout.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import { AccountRepository } from '../account/account.repository';
import { assertGiven, assertInteger, assertOneOf, assertText } from '../operator/operator-input';
import { CheckoutLimits } from '../payments/checkout-limits';
import type { CheckoutProvider } from '../payments/checkout-provider.port';
import { CheckoutRepository, type CheckoutRow, toCheckout } from '../payments/checkout.repository';
import { PaymentCustomerRepository } from '../payments/payment-customer.repository';
import { PaymentRefused } from '../payments/payment-provider.port';
import { PaymentProviders } from '../payments/payment-providers';
import { readEmail } from '../user/email-address';

const MAX_URL_LENGTH = 500;
const MAX_ADDRESS_LENGTH = 64;
/** Stripe takes 30 minutes to 24 hours. */
const PAGE_LIVES_MS = 60 * 60_000;

type Request = Omit<CreateCheckoutRequest, 'key_sha256'> & { account_id: string };

/** Stores a checkout, then opens the provider's page for it. Provider and currency are the installation's, the amount is stored. */
@Injectable()
export class CreateCheckout {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly checkouts: CheckoutRepository,
    private readonly customers: PaymentCustomerRepository,
    private readonly providers: PaymentProviders,
    private readonly limits: CheckoutLimits,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async execute(request: Request): Promise<Checkout> {
    const provider = this.providers.currentCheckouts;
    if (!provider) throw new ApiError('invalid_body', 'This installation takes no payments. Set KINORA_PAYMENTS.');
    this.assertRequest(request);
    const account = await this.accounts.getDetails(request.account_id);
    // A paused account may owe money, which its next payment pays.
    if (account.status === 'suspended' || account.status === 'closed') throw accountStatusProblem(account.status);
    const checkout = await this.begin(provider, request);
    return toCheckout(await this.open(provider, checkout, account, request));
  }

  private begin({ name }: CheckoutProvider, request: Request): Promise<CheckoutRow> {
    const { account_id, address } = request;
    return this.database.transaction(async (transaction) => {
      await this.accounts.lock(transaction, account_id);
      await this.limits.assertRoom(transaction, account_id, address);
      return this.checkouts.begin(transaction, { ...request, id: uuidv7(), provider: name });
    });
  }

  /** A page that is shown can be paid, so it is shown only once its reference is stored. */
  private async open(
    provider: CheckoutProvider,
    checkout: CheckoutRow,
    account: AccountDetails,
    { return_url, receipt_email }: Request,
  ): Promise<CheckoutRow> {
    const { id, account_id, created_at } = checkout;
    try {
      const customer = await this.customers.findOrOpen(account_id, provider.name, () => provider.openCustomer(account));
      const expires_at = new Date(created_at.getTime() + PAGE_LIVES_MS);
      const page = await provider.openCheckout({
        ...checkout,
        ...{ customer, expires_at, return_url: `${return_url}/${id}`, receipt_email: receipt_email ?? null },
      });
      const opened = await this.checkouts.opened(id, page);
      if (opened) return opened;
    } catch (error) {
      this.logger.warn({ account_id, payment_id: id, reason: String(error) }, 'checkout_not_opened');
      await this.checkouts.end(id, 'expired');
      if (!(error instanceof PaymentRefused)) throw ApiError.unavailable('The payment provider');
    }
    throw new ApiError('invalid_body', 'The payment provider shows no page for this payment. Tell the operator.');
  }

  /** @throws ApiError invalid_body */
  private assertRequest(request: Request): void {
    assertGiven(request, 'amount_micros', 'saves_card', 'address', 'return_url');
    assertInteger(request, 'amount_micros');
    this.limits.assertAmount(request.amount_micros);
    assertOneOf(request, 'saves_card', [true, false]);
    assertText(request, 'address', MAX_ADDRESS_LENGTH);
    assertText(request, 'return_url', MAX_URL_LENGTH);
    if (request.receipt_email !== undefined) readEmail(request.receipt_email);
  }
}
