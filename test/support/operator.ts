import type { AccountStatus } from '@kinora/contracts/billing/account';
import { type Bus, connectBus } from '@kinora/bus';
import {
  type CreateAccountRequest,
  type CreateKeyRequest,
  type PaymentDetails,
  type SetAutoRechargeRequest,
  type SetLimitsRequest,
  type SetStatusRequest,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import type { LedgerReport } from '@kinora/contracts/billing/ledger.rpc';
import { type StrikeDetails, moderationAdminRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiClient } from './api-client';
import type { LocalStack } from './local-stack';

/** A fresh account of the stack, so that tests do not share a balance. */
export async function openAccount(
  stack: LocalStack,
  requests: Partial<CreateAccountRequest> = {},
): Promise<{ client: ApiClient; accountId: string; apiKey: string; webhookSecret: string }> {
  const limits = { balance_micros: 10_000_000, rate_limit_rpm: 100_000, max_concurrent_jobs: 1_000 };
  const request = { name: 'e2e', ...limits, ...requests };
  const created = await onBus(stack, (bus) => bus.request(billingAdminRpc.createAccount, request));
  return {
    client: new ApiClient((await stack.describe()).base_url, created.api_key, stack.imageSize),
    accountId: created.account_id,
    apiKey: created.api_key,
    webhookSecret: created.webhook_secret,
  };
}

/** Another key of an account, and a function that revokes it. */
export async function openKey(
  stack: LocalStack,
  request: CreateKeyRequest,
): Promise<{ client: ApiClient; apiKey: string; revoke: () => Promise<void> }> {
  const { api_key, api_key_id } = await onBus(stack, (bus) => bus.request(billingAdminRpc.createKey, request));
  return {
    client: new ApiClient((await stack.describe()).base_url, api_key, stack.imageSize),
    apiKey: api_key,
    revoke: async () => void (await onBus(stack, (bus) => bus.request(billingAdminRpc.revokeKey, { api_key_id }))),
  };
}

export async function setLimits(stack: LocalStack, request: SetLimitsRequest): Promise<void> {
  await onBus(stack, (bus) => bus.request(billingAdminRpc.setLimits, request));
}

export async function setStatus(stack: LocalStack, request: SetStatusRequest): Promise<void> {
  await onBus(stack, (bus) => bus.request(billingAdminRpc.setStatus, request));
}

/** Sets up automatic top-ups for an account with a low balance. */
export async function rechargeAutomatically(
  stack: LocalStack,
  request: Omit<SetAutoRechargeRequest, 'enabled'>,
): Promise<void> {
  await onBus(stack, (bus) => bus.request(billingAdminRpc.setAutoRecharge, { enabled: true, ...request }));
}

export async function listPayments(stack: LocalStack, accountId: string): Promise<PaymentDetails[]> {
  return (await onBus(stack, (bus) => bus.request(billingAdminRpc.listPayments, { account_id: accountId }))).data;
}

/** The checks of `kinora ledger verify`: the ledger, the holds against the jobs, and the sums of usage. */
export async function verifyLedger(stack: LocalStack): Promise<Pick<LedgerReport, 'ok' | 'violations'>> {
  return onBus(stack, async (bus) => {
    const reports = [
      await bus.request(billingAdminRpc.verifyLedger, { full: true }),
      await bus.request(jobsRpc.verifyHolds, { side: 'jobs' }),
      await bus.request(jobsRpc.verifyHolds, { side: 'holds' }),
      await bus.request(jobsRpc.verifyUsage, {}),
    ];
    const violations = reports.flatMap((report) => report.violations);
    return { ok: violations.length === 0, violations };
  });
}

/** Whether an account may create jobs. */
export async function showStatus(stack: LocalStack, accountId: string): Promise<AccountStatus | null> {
  return onBus(stack, (bus) => bus.request(billingAdminRpc.showAccount, { account_id: accountId })).then(
    ({ status }) => status,
    // Billing is still restarting.
    () => null,
  );
}

export async function listStrikes(stack: LocalStack, accountId: string): Promise<StrikeDetails[]> {
  return (await onBus(stack, (bus) => bus.request(moderationAdminRpc.listStrikes, { account_id: accountId }))).data;
}

export async function liftStrike(stack: LocalStack, strikeId: string): Promise<void> {
  const request = { strike_id: strikeId, reason: 'Seen by a person.' };
  await onBus(stack, (bus) => bus.request(moderationAdminRpc.liftStrike, request));
}

/** Sends requests of an operator over a connection of their own. */
export async function onBus<Answer>(stack: LocalStack, work: (bus: Bus) => Promise<Answer>): Promise<Answer> {
  const { bus, close } = await connectBus((await stack.describe()).nats_url, 'e2e');
  try {
    return await work(bus);
  } finally {
    await close();
  }
}
