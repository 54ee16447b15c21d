import { Injectable } from '@nestjs/common';
import type { ToppedUpAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import type { GrantCreditRequest } from '@kinora/contracts/billing/deposit';
import { ApiError } from '@kinora/contracts/shared/errors';
import { AccountRepository } from '../../account/account.repository';
import { assertGiven, assertInteger, assertOperator, assertReference, assertUuid } from '../../operator/operator-input';
import { BalanceChange } from '../../wallet/balance-change';
import { HoldRepository } from '../../wallet/hold.repository';

/** Adds money that was not paid for. It has its own book in the ledger, separate from paid top-ups. */
@Injectable()
export class GrantCredit {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly holds: HoldRepository,
    private readonly balanceChange: BalanceChange,
  ) {}

  async execute(request: GrantCreditRequest): Promise<ToppedUpAccount> {
    assertGiven(request, 'amount_micros');
    assertInteger(request, 'amount_micros');
    assertReference(request);
    assertUuid(request, 'refunded_job_id');
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    const entry = await this.balanceChange.make('credit', await this.forJob(request));
    return { ...(await this.accounts.getDetails(request.account_id)), ...entry };
  }

  /**
   * A captured hold never changes again. Any other hold still may return to the balance by itself, so a credit for it could
   * pay twice.
   */
  private async forJob(request: GrantCreditRequest): Promise<GrantCreditRequest> {
    const { refunded_job_id: jobId, account_id, amount_micros } = request;
    if (jobId === undefined) return request;
    const [hold] = await this.holds.find([jobId]);
    if (hold?.account_id !== account_id) throw refused(jobId, 'is no job of this account');
    if (hold.state === 'held') throw refused(jobId, 'is not charged yet: try again when it has ended');
    if (hold.state === 'refunded') throw refused(jobId, 'has cost nothing: its price is back in the balance already');
    if (amount_micros > hold.amount_micros) throw refused(jobId, `has cost ${hold.amount_micros} micros only`);
    return { ...request, reference: `refund of job ${jobId}` };
  }
}

function refused(jobId: string, problem: string): ApiError {
  return new ApiError('invalid_body', `Job ${jobId} ${problem}.`, { param: 'refunded_job_id' });
}
