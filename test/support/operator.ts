import { connectBus } from '@kinora/bus';
import {
  type CreateAccountRequest,
  type CreateKeyRequest,
  type LedgerReport,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { jobsRpc } from '@kinora/contracts/jobs/jobs.rpc';
import { ApiClient } from './api-client';
import type { LocalStack } from './local-stack';

/** A fresh account of the stack, so that no test sees another's money. */
export async function openAccount(
  stack: LocalStack,
  wishes: Partial<CreateAccountRequest> = {},
): Promise<{ client: ApiClient; accountId: string; webhookSecret: string }> {
  const { base_url, nats_url } = await stack.describe();
  const limits = { balance_micros: 10_000_000, rate_limit_rpm: 100_000, max_concurrent_jobs: 1_000 };
  const { bus, close } = await connectBus(nats_url, 'e2e');
  try {
    const created = await bus.request(billingAdminRpc.createAccount, { name: 'e2e', ...limits, ...wishes });
    return {
      client: new ApiClient(base_url, created.api_key),
      accountId: created.account_id,
      webhookSecret: created.webhook_secret,
    };
  } finally {
    await close();
  }
}

/** Another key of an account. */
export async function openKey(stack: LocalStack, request: CreateKeyRequest): Promise<ApiClient> {
  const { base_url, nats_url } = await stack.describe();
  const { bus, close } = await connectBus(nats_url, 'e2e');
  try {
    return new ApiClient(base_url, (await bus.request(billingAdminRpc.createKey, request)).api_key);
  } finally {
    await close();
  }
}

/** All that `kinora ledger verify` looks at: the books, the holds against the jobs, and the sums of usage. */
export async function verifyLedger(stack: LocalStack): Promise<Pick<LedgerReport, 'ok' | 'violations'>> {
  const { bus, close } = await connectBus((await stack.describe()).nats_url, 'e2e');
  try {
    const reports = [
      await bus.request(billingAdminRpc.verifyLedger, {}),
      await bus.request(jobsRpc.verifyHolds, { side: 'jobs' }),
      await bus.request(jobsRpc.verifyHolds, { side: 'holds' }),
      await bus.request(jobsRpc.verifyUsage, {}),
    ];
    const violations = reports.flatMap((report) => report.violations);
    return { ok: violations.length === 0, violations };
  } finally {
    await close();
  }
}
