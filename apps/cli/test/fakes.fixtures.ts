import { Controller } from '@nestjs/common';
import { Handles, currentCall } from '@kinora/bus';
import { type AccountPage, type ListAccountsRequest, accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import {
  type AccountDetails,
  type AdjustBalanceRequest,
  type AutoRechargeDetails,
  type CreateAccountRequest,
  type CreateKeyRequest,
  type CreatedAccount,
  type CreatedKey,
  type EndPaymentRequest,
  type PaymentDetails,
  type SetAutoRechargeRequest,
  type SetLimitsRequest,
  type SetStatusRequest,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { TopUpRequest } from '@kinora/contracts/billing/deposit';
import type { Statement, StatementRequest } from '@kinora/contracts/billing/statement';
import type { LedgerReport, VerifyLedgerRequest } from '@kinora/contracts/billing/ledger-report';
import { type HoldsReport, type VerifyHoldsRequest, jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { UsageViolation } from '@kinora/contracts/jobs/usage';
import {
  type JobSummaryPage,
  type ListAllJobsRequest,
  type QuoteSales,
  jobsAdminRpc,
} from '@kinora/contracts/jobs/jobs-admin.rpc';
import type { ReceiptKey } from '@kinora/contracts/jobs/receipt';
import { type StrikeDetails, moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { PartialList } from '@kinora/contracts/shared/page';
import {
  type FailingEndpoint,
  type ListFailingEndpointsRequest,
  webhooksRpc,
} from '@kinora/contracts/webhooks/webhooks.rpc';

export const received: { requests: unknown[]; requestIds: (string | undefined)[] } = { requests: [], requestIds: [] };
export const usage: { violations: UsageViolation[] } = { violations: [] };
export const ledger: LedgerReport = {
  ok: true,
  accounts: 2,
  entries: 9,
  books: { available_micros: 8, held_micros: 1, revenue_micros: 1, top_ups_micros: -10, credits_micros: 0 },
  violations: [],
  next_account_id: null,
};

/** A stand-in for billing: stores the requests, and answers as billing would. */
@Controller()
export class FakeBilling {
  @Handles(billingAdminRpc.createAccount)
  async createAccount(request: CreateAccountRequest): Promise<CreatedAccount> {
    received.requests.push(request);
    return { account_id: 'acc-1', api_key: 'knr_live_x', api_key_id: 'key-1', webhook_secret: 'whsec_x' };
  }

  @Handles(accountListRpc.listAccounts)
  async listAccounts(request: ListAccountsRequest): Promise<AccountPage> {
    received.requests.push(request);
    const account = { account_id: 'acc-1', name: 'Ada', status: 'active', balance_micros: 1_500_000 } as const;
    const data = [{ ...account, in_flight_jobs: 2, created_at: '2026-11-20T09:00:00Z' }];
    return { data, has_more: true, next_cursor: 'acc-1' };
  }

  @Handles(billingAdminRpc.showAccount)
  async showAccount(_request: { account_id: string }): Promise<AccountDetails> {
    received.requestIds.push(currentCall()?.requestId);
    throw new ApiError('not_found', 'There is no such account.');
  }

  @Handles(billingAdminRpc.topUp)
  async topUp(_request: TopUpRequest): Promise<AccountDetails> {
    throw new ApiError('invalid_body', 'amount_micros must be less.', { param: 'amount_micros' });
  }

  @Handles(billingAdminRpc.adjustBalance)
  async adjustBalance(request: AdjustBalanceRequest): Promise<AccountDetails> {
    received.requests.push(request);
    throw new ApiError('not_found', 'There is no such account.');
  }

  @Handles(billingAdminRpc.endPayment)
  async endPayment(request: EndPaymentRequest): Promise<PaymentDetails> {
    received.requests.push(request);
    const payment = {
      payment_id: request.payment_id,
      provider: 'stripe',
      amount_micros: 20_000_000,
      reference: 'pi_1',
    };
    return { ...payment, state: 'failed', failure: 'ended_by_operator', created_at: '', ended_at: '' };
  }

  @Handles(billingAdminRpc.setAutoRecharge)
  async setAutoRecharge(request: SetAutoRechargeRequest): Promise<AutoRechargeDetails> {
    received.requests.push(request);
    throw new ApiError('not_found', 'There is no such account.');
  }

  @Handles(billingAdminRpc.setLimits)
  async setLimits(request: SetLimitsRequest): Promise<AccountDetails> {
    received.requests.push(request);
    throw new ApiError('invalid_body', 'retention_days must be less.', { param: 'retention_days' });
  }

  @Handles(billingAdminRpc.setStatus)
  async setStatus({ account_id, status }: SetStatusRequest): Promise<AccountDetails> {
    return { account_id, status } as AccountDetails;
  }

  @Handles(billingAdminRpc.createKey)
  async createKey(request: CreateKeyRequest): Promise<CreatedKey> {
    received.requests.push(request);
    throw new ApiError('invalid_body', 'expires_at must be in the future.', { param: 'expires_at' });
  }

  @Handles(billingAdminRpc.getStatement)
  async getStatement(_request: StatementRequest): Promise<Statement> {
    const line = { entry_id: 'e1', kind: 'reserve', amount_micros: 20_000, balance_delta_micros: -20_000 } as const;
    const rest = { balance_after_micros: 9_980_000, job_id: 'job-1', reason: null, created_at: '2026-11-20T09:00:00Z' };
    return { data: [{ ...line, ...rest }], next_before_entry_id: 'e1' };
  }

  @Handles(billingAdminRpc.verifyLedger)
  async verifyLedger({ full, cursor, after_account_id }: VerifyLedgerRequest): Promise<LedgerReport> {
    // A full run takes two calls.
    if (full) return { ...ledger, next_cursor: cursor === undefined ? 'the-rest' : null };
    return after_account_id === undefined ? ledger : { ...ledger, next_account_id: null };
  }
}

@Controller()
export class FakeModeration {
  @Handles(moderationAdminRpc.listStrikes)
  async listStrikes(_request: { account_id?: string; limit?: number }): Promise<{ data: StrikeDetails[] }> {
    const strike = { account_id: 'acc-1', job_id: 'job-1', decision_id: 'd-1', created_at: '2026-11-20T09:00:00Z' };
    const lifted = (at: string | null) => ({ lifted_at: at, lifted_by: null, lift_reason: null });
    return {
      data: [null, '2026-11-20T10:00:00Z', null].map((at, index) => ({
        strike_id: `s-${index}`,
        ...strike,
        ...lifted(at),
      })),
    };
  }
}

@Controller()
export class FakeWebhooks {
  @Handles(webhooksRpc.recoverDeliveries)
  async recoverDeliveries(request: { account_id: string; since: string }): Promise<{ recovered: number }> {
    received.requests.push(request);
    return { recovered: 2 };
  }

  @Handles(webhooksRpc.listFailingEndpoints)
  async listFailingEndpoints(request: ListFailingEndpointsRequest): Promise<PartialList<FailingEndpoint>> {
    received.requests.push(request);
    const endpoint = { account_id: 'acc-1', host: 'hook.example.com:443', retrying: 3, exhausted: 1 };
    const last = { last_response_status: null, last_error: 'timeout', next_attempt_at: '2026-11-20T09:00:00Z' };
    const isLast = request.cursor !== undefined;
    return { data: [{ ...endpoint, ...last }], has_more: !isLast, next_cursor: isLast ? null : '1' };
  }
}

@Controller()
export class FakeJobs {
  @Handles(jobsAdminRpc.listAll)
  async listAll(request: ListAllJobsRequest): Promise<JobSummaryPage> {
    received.requests.push(request);
    return { data: [], has_more: false, next_cursor: null };
  }

  @Handles(jobsAdminRpc.listQuoteSales)
  async listQuoteSales(request: object): Promise<{ data: QuoteSales[] }> {
    received.requests.push(request);
    const sums = { quoted_micros: 40_000, list_micros: 100_000, shortfall_micros: 60_000 };
    return { data: [{ day: '2026-11-22', model: 'm', jobs: 1, ...sums }] };
  }

  @Handles(jobsRpc.listReceiptKeys)
  async listReceiptKeys(request: object): Promise<{ keys: ReceiptKey[] }> {
    received.requests.push(request);
    return { keys: [{ kid: 'kid-1', x: 'x', created_at: '2026-11-22T09:00:00Z', withdrawn_at: null }] };
  }

  @Handles(jobsAdminRpc.withdrawReceiptKey)
  async withdrawReceiptKey(request: { kid: string }): Promise<ReceiptKey> {
    received.requests.push(request);
    return { kid: request.kid, x: 'x', created_at: '2026-11-22T09:00:00Z', withdrawn_at: '2026-11-22T10:00:00Z' };
  }

  @Handles(jobsRpc.verifyHolds)
  async verifyHolds({ side, after_job_id }: VerifyHoldsRequest): Promise<HoldsReport> {
    if (side === 'holds') return { checked: 1, violations: [], next_job_id: null };
    return { checked: 2, violations: [], next_job_id: after_job_id === undefined ? 'job-2' : null };
  }

  @Handles(jobsRpc.verifyUsage)
  async verifyUsage(_request: Record<string, never>): Promise<{ violations: UsageViolation[] }> {
    return usage;
  }
}
