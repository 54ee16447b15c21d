import { type Bus, connectBus } from '@kinora/bus/client';
import { billingAdminRpc, type CreatedAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import { rehearsalRpc } from '@kinora/contracts/moderation/rehearsal.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { PrivateJsonFile } from './private-json-file';

/** 100 USD. */
const DEMO_BALANCE_MICROS = 100_000_000;
/** Enough to try things: with billing's own default, a dozen jobs polled each second would be refused most of the time. */
const DEMO_LIMITS = { rate_limit_rpm: 600, max_concurrent_jobs: 20 };

/** An account to try things with, made at the first start. Billing shows its key only once, so it is kept here. */
export async function ensureDemoAccount(
  file: PrivateJsonFile<CreatedAccount>,
  natsUrl: string,
): Promise<CreatedAccount> {
  const connection = await connectBus(natsUrl, 'launcher');
  try {
    const { bus } = connection;
    const kept = await file.read();
    // The data folder may have met another database since.
    if (kept && (await accountExists(bus, kept.account_id))) {
      await bus.request(rehearsalRpc.allow, { account_id: kept.account_id });
      return kept;
    }
    const request = { name: 'Demo', balance_micros: DEMO_BALANCE_MICROS, ...DEMO_LIMITS };
    const created = await bus.request(billingAdminRpc.createAccount, request);
    await file.write(created);
    await bus.request(rehearsalRpc.allow, { account_id: created.account_id });
    return created;
  } finally {
    await connection.close();
  }
}

async function accountExists(bus: Bus, accountId: string): Promise<boolean> {
  try {
    await bus.request(billingAdminRpc.showAccount, { account_id: accountId });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false;
    throw error;
  }
}
