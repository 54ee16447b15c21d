import { Injectable } from '@nestjs/common';
import type { AdjustBalanceRequest, ToppedUpAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import type { GrantCreditRequest, TopUpRequest } from '@kinora/contracts/billing/ledger.rpc';
import type { OperatorRequest } from '@kinora/contracts/billing/operator-action';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Micros } from '@kinora/contracts/shared/money';
import { Database } from '@kinora/database';
import { AccountRepository } from '../account/account.repository';
import { DebtPause } from '../account/debt-pause';
import { AuditTrail } from '../operator/audit-trail.repository';
import { assertGiven, assertInteger, assertOperator, assertReference, assertUuid } from '../operator/operator-input';
import { HoldRepository } from '../wallet/hold.repository';
import { type BalanceChangeKind, type ReferencedEntry, WalletRepository } from '../wallet/wallet.repository';

type BalanceChangeRequest = OperatorRequest & { account_id: string; amount_micros: Micros; reference?: string };

/** The ledger entry of a change: a new one, or the first one with the same reference. */
interface BalanceEntry {
  entry_id: string;
  entry_repeated: boolean;
}

/**
 * Changes a balance for an operator and records it in the audit trail. A reference makes the change idempotent, also for
 * concurrent requests. Without one, a repeated request is a second change.
 */
@Injectable()
export class BalanceChange {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly auditTrail: AuditTrail,
    private readonly wallets: WalletRepository,
    private readonly pause: DebtPause,
  ) {}

  /**
   * @throws ApiError invalid_body if the amount exceeds the limit of a wallet or its balance, or if another change has
   * the reference
   */
  async make(kind: BalanceChangeKind, request: BalanceChangeRequest): Promise<BalanceEntry> {
    const { account_id, amount_micros, reason = null, reference = null } = request;
    const change = { kind, account_id, amount_micros, reason, reference };
    try {
      const entry_id = await this.database.transaction(async (transaction) => {
        await this.accounts.lock(transaction, account_id);
        await this.auditTrail.record(transaction, kind, request);
        const entryId = await this.wallets.changeBalance(transaction, change);
        if (kind === 'top_up') await this.pause.endIfPaid(transaction, account_id);
        return entryId;
      });
      return { entry_id, entry_repeated: false };
    } catch (error) {
      // The first use of a reference decides, also if its amount would not fit the balance a second time. Of two concurrent
      // requests, one inserts the entry and the other finds it.
      const first = reference === null ? null : await this.wallets.findReference(this.database, account_id, reference);
      if (!first) throw error;
      if (first.kind !== kind || first.amount_micros !== amount_micros) throw referenceTaken(first, request);
      return { entry_id: first.entry_id, entry_repeated: true };
    }
  }
}

function referenceTaken({ kind, amount_micros }: ReferencedEntry, { reference }: BalanceChangeRequest): ApiError {
  const article = kind === 'adjustment' ? 'an' : 'a';
  const message = `reference ${reference} was used for ${article} ${kind} of ${amount_micros} micros of this account already.`;
  return new ApiError('invalid_body', message, { param: 'reference' });
}

/** Adds money that was paid to a wallet. */
@Injectable()
export class TopUp {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly balanceChange: BalanceChange,
  ) {}

  async execute(request: TopUpRequest): Promise<ToppedUpAccount> {
    assertGiven(request, 'amount_micros');
    assertInteger(request, 'amount_micros');
    assertReference(request);
    assertOperator(request);
    await this.accounts.assertExists(request.account_id);
    const entry = await this.balanceChange.make('top_up', request);
    return { ...(await this.accounts.getDetails(request.account_id)), ...entry };
  }
}

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

/**
 * Corrects a balance upwards or downwards, with a required reason. It cannot take held money, nor more than the available
 * balance.
 */
@Injectable()
export class AdjustBalance {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly balanceChange: BalanceChange,
  ) {}

  async execute(request: AdjustBalanceRequest): Promise<ToppedUpAccount> {
    assertGiven(request, 'amount_micros', 'reason');
    assertInteger(request, 'amount_micros', { min: Number.MIN_SAFE_INTEGER });
    assertReference(request);
    assertOperator(request);
    if (request.amount_micros === 0)
      throw new ApiError('invalid_body', 'amount_micros must not be 0.', { param: 'amount_micros' });
    await this.accounts.assertExists(request.account_id);
    const entry = await this.balanceChange.make('adjustment', request);
    return { ...(await this.accounts.getDetails(request.account_id)), ...entry };
  }
}
