import { Injectable } from '@nestjs/common';
import type { AutoRechargeDetails, SetAutoRechargeRequest } from '@kinora/contracts/billing/billing-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Database } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertInteger, assertOneOf, assertOperator, assertText } from '../operator/operator-input';
import { AutoRechargeRepository, type NewAutoRecharge } from '../payments/payment.repository';
import { CENT_MICROS, PaymentProviders } from '../payments/payment-providers';

const MAX_TOKEN_LENGTH = 200;
/** The least that payment providers charge. */
const MIN_AMOUNT_MICROS = 500_000;

/** Enables or disables automatic charges below a balance threshold. Omitted fields keep their values. */
@Injectable()
export class SetAutoRecharge {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly recharges: AutoRechargeRepository,
    private readonly providers: PaymentProviders,
    private readonly auditTrail: AuditTrail,
  ) {}

  async execute(request: SetAutoRechargeRequest): Promise<AutoRechargeDetails> {
    assertAutoRecharge(request);
    const { account_id } = request;
    await this.accounts.assertExists(account_id);
    const recharge = this.complete(request, await this.recharges.find(account_id));
    await this.database.transaction(async (transaction) => {
      await this.auditTrail.record(transaction, 'set_auto_recharge', request);
      await this.recharges.set(transaction, recharge);
    });
    return { ...recharge, failures: 0, stopped_reason: null };
  }

  private complete(request: SetAutoRechargeRequest, earlier: AutoRechargeDetails | null): NewAutoRecharge {
    const provider = this.providers.current;
    if (!provider && request.enabled)
      throw new ApiError('invalid_body', 'This installation has no payment provider. Set KINORA_PAYMENTS.', {
        param: 'enabled',
      });
    const { threshold_micros = earlier?.threshold_micros, amount_micros = earlier?.amount_micros } = request;
    const method = request.payment_method ?? earlier?.payment_method ?? provider?.defaultMethod ?? undefined;
    if (threshold_micros === undefined) throw missing('threshold_micros');
    if (amount_micros === undefined) throw missing('amount_micros');
    if (method === undefined) throw missing('payment_method');
    const cap = request.monthly_cap_micros === undefined ? earlier?.monthly_cap_micros : request.monthly_cap_micros;
    if (typeof cap === 'number' && cap < amount_micros)
      throw new ApiError('invalid_body', 'monthly_cap_micros must be at least amount_micros.', {
        param: 'monthly_cap_micros',
      });
    return {
      account_id: request.account_id,
      enabled: request.enabled,
      threshold_micros,
      amount_micros,
      monthly_cap_micros: cap ?? null,
      payment_method: method,
      customer: request.customer ?? earlier?.customer ?? null,
    };
  }
}

/** @throws ApiError invalid_body */
function assertAutoRecharge(request: SetAutoRechargeRequest): void {
  assertGiven(request, 'enabled');
  assertOneOf(request, 'enabled', [true, false]);
  assertInteger(request, 'threshold_micros');
  assertInteger(request, 'amount_micros', { min: MIN_AMOUNT_MICROS });
  if (request.monthly_cap_micros !== null) assertInteger(request, 'monthly_cap_micros');
  assertText(request, 'payment_method', MAX_TOKEN_LENGTH);
  assertText(request, 'customer', MAX_TOKEN_LENGTH);
  assertOperator(request);
  if (request.amount_micros !== undefined && request.amount_micros % CENT_MICROS !== 0)
    throw new ApiError('invalid_body', 'amount_micros must be a multiple of 10000, which is one cent.', {
      param: 'amount_micros',
    });
}

function missing(field: keyof SetAutoRechargeRequest): ApiError {
  return new ApiError('invalid_body', `${field} must be given.`, { param: field });
}
