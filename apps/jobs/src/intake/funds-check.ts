import { Injectable } from '@nestjs/common';
import { Bus } from '@kinora/bus';
import { type FundsRequest, billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';

/** Checks the payer's balance and free job slots before expensive work for a job. Reserves nothing. */
@Injectable()
export class FundsCheck {
  constructor(private readonly bus: Bus) {}

  /** @throws ApiError insufficient_balance, key_budget_exceeded, concurrency_limit */
  async assertReservable(request: FundsRequest): Promise<void> {
    const { account_id, api_key_id, amount_micros, available_only = false } = request;
    const key = { ...(api_key_id !== undefined && { api_key_id }), ...(available_only && { available_only }) };
    try {
      await this.bus.request(billingRpc.checkFunds, { account_id, amount_micros, ...key });
    } catch (error) {
      // The reservation decides, which may succeed although this check could not be made.
      if (!(error instanceof ApiError) || error.code !== 'capacity') throw error;
    }
  }
}
