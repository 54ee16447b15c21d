import { currentCall } from '@kinora/bus';
import { accountListRpc } from '@kinora/contracts/billing/account-list.rpc';
import { type AccountDetails, billingAdminRpc } from '@kinora/contracts/billing/billing-admin.rpc';
import type { LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import { catalogAdminRpc } from '@kinora/contracts/catalog/catalog.rpc';
import { jobsAdminRpc } from '@kinora/contracts/jobs/jobs-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import type { UsageViolation } from '@kinora/contracts/jobs/usage';
import { moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import type { RpcContract } from '@kinora/contracts/shared/contract';
import { ApiError, type ErrorCode } from '@kinora/contracts/shared/errors';
import { webhooksRpc } from '@kinora/contracts/webhooks/webhooks.rpc';
import { answering, on } from '@kinora/testing';

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

const AT = '2026-11-20T09:00:00Z';

/** Stores the request, and answers. */
const noting = <Request, Response>(contract: RpcContract<Request, Response>, handler: (request: Request) => Response) =>
  on(contract, (request) => {
    received.requests.push(request);
    return handler(request);
  });

const fail = (code: ErrorCode, message: string, param?: string) => (): never => {
  throw new ApiError(code, message, param === undefined ? {} : { param });
};
const isNoAccount = fail('not_found', 'There is no such account.');

/** A stand-in for billing: stores the requests, and answers as billing would. */
export const FakeBilling = answering(
  noting(billingAdminRpc.createAccount, () => ({
    ...{ account_id: 'acc-1', api_key: 'knr_live_x', api_key_id: 'key-1', webhook_secret: 'whsec_x' },
  })),
  noting(accountListRpc.listAccounts, () => {
    const account = { account_id: 'acc-1', name: 'Ada', status: 'active', balance_micros: 1_500_000 } as const;
    return { data: [{ ...account, in_flight_jobs: 2, created_at: AT }], has_more: true, next_cursor: 'acc-1' };
  }),
  on(billingAdminRpc.showAccount, () => {
    received.requestIds.push(currentCall()?.requestId);
    return isNoAccount();
  }),
  on(billingAdminRpc.topUp, fail('invalid_body', 'amount_micros must be less.', 'amount_micros')),
  noting(billingAdminRpc.adjustBalance, isNoAccount),
  noting(billingAdminRpc.endPayment, ({ payment_id }) => ({
    ...{ payment_id, provider: 'stripe', amount_micros: 20_000_000, reference: 'pi_1', state: 'failed' as const },
    ...{ failure: 'ended_by_operator', created_at: '', ended_at: '' },
  })),
  noting(billingAdminRpc.setAutoRecharge, isNoAccount),
  noting(billingAdminRpc.setPriceGroup, isNoAccount),
  noting(billingAdminRpc.setLimits, fail('invalid_body', 'retention_days must be less.', 'retention_days')),
  on(billingAdminRpc.setStatus, ({ account_id, status }) => ({ account_id, status }) as AccountDetails),
  noting(billingAdminRpc.createKey, fail('invalid_body', 'expires_at must be in the future.', 'expires_at')),
  on(billingAdminRpc.getStatement, () => {
    const line = { entry_id: 'e1', kind: 'reserve', amount_micros: 20_000, balance_delta_micros: -20_000 } as const;
    const rest = { balance_after_micros: 9_980_000, job_id: 'job-1', reason: null, created_at: AT };
    return { data: [{ ...line, ...rest }], next_before_entry_id: 'e1' };
  }),
  on(billingAdminRpc.verifyLedger, ({ full, cursor, after_account_id }) => {
    // A full run takes two calls.
    if (full) return { ...ledger, next_cursor: cursor === undefined ? 'the-rest' : null };
    return after_account_id === undefined ? ledger : { ...ledger, next_account_id: null };
  }),
);

export const FakeCatalog = answering(
  on(catalogAdminRpc.listAllModels, ({ price_group }) => {
    if (price_group === 'unknown') throw new ApiError('not_found', 'There is no price group unknown.');
    return { data: [] };
  }),
  noting(catalogAdminRpc.setPrice, fail('invalid_body', 'micros_by_size must be without 9x9.', 'micros_by_size')),
  noting(catalogAdminRpc.setPriceFactor, fail('invalid_body', 'from must be now or later.', 'from')),
);

export const FakeModeration = answering(
  on(moderationAdminRpc.listStrikes, () => {
    const strike = { account_id: 'acc-1', job_id: 'job-1', decision_id: 'd-1', created_at: AT };
    const strikes = [null, '2026-11-20T10:00:00Z', null].map((lifted_at, index) => ({
      ...{ strike_id: `s-${index}`, ...strike, lifted_at, lifted_by: null, lift_reason: null },
    }));
    return { data: strikes };
  }),
);

export const FakeWebhooks = answering(
  noting(webhooksRpc.recoverDeliveries, () => ({ recovered: 2 })),
  noting(webhooksRpc.listFailingEndpoints, ({ cursor }) => {
    const endpoint = { account_id: 'acc-1', host: 'hook.example.com:443', retrying: 3, exhausted: 1 };
    const last = { last_response_status: null, last_error: 'timeout', next_attempt_at: AT };
    const isLast = cursor !== undefined;
    return { data: [{ ...endpoint, ...last }], has_more: !isLast, next_cursor: isLast ? null : '1' };
  }),
);

const KEY = { x: 'x', created_at: '2026-11-22T09:00:00Z' };

export const FakeJobs = answering(
  noting(jobsAdminRpc.listAll, () => ({ data: [], has_more: false, next_cursor: null })),
  noting(jobsAdminRpc.listQuoteSales, () => {
    const sums = { quoted_micros: 40_000, list_micros: 100_000, shortfall_micros: 60_000 };
    return { data: [{ day: '2026-11-22', model: 'm', jobs: 1, ...sums }] };
  }),
  noting(jobsRpc.listReceiptKeys, () => ({ keys: [{ kid: 'kid-1', ...KEY, withdrawn_at: null }] })),
  noting(jobsAdminRpc.withdrawReceiptKey, ({ kid }) => ({ kid, ...KEY, withdrawn_at: '2026-11-22T10:00:00Z' })),
  on(jobsRpc.verifyHolds, ({ side, after_job_id }) => {
    if (side === 'holds') return { checked: 1, violations: [], next_job_id: null };
    return { checked: 2, violations: [], next_job_id: after_job_id === undefined ? 'job-2' : null };
  }),
  on(jobsRpc.verifyUsage, () => usage),
);
