import { type Bus, connectBus } from '@kinora/bus/client';
import { billingAdminRpc, type CreatedAccount } from '@kinora/contracts/billing/billing-admin.rpc';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { rehearsalRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { SYSTEM_CLOCK } from '@kinora/service-kit/without-nest';
import type { PrivateJsonFile } from './private-json-file';

/** 100 USD. */
const DEMO_BALANCE_MICROS = 100_000_000;
/** Enough for trials: with billing's own default, a dozen jobs polled each second would be refused most of the time. */
const DEMO_LIMITS = { rate_limit_rpm: 600, max_concurrent_jobs: 20 };
/** The demo key may try everything that the API has, its self-service too. */
const DEMO_SCOPE = 'account';
const POLL_INTERVAL_MS = 5_000;

/**
 * An account for trials, opened at the first start. Billing shows its key only once, so it is stored here. A key or secret that
 * an operator has revoked or rotated since is replaced, so that the banner never shows an invalid one.
 */
export async function ensureDemoAccount(
  file: PrivateJsonFile<CreatedAccount>,
  natsUrl: string,
): Promise<CreatedAccount> {
  const connection = await connectBus(natsUrl, 'launcher');
  try {
    const { bus } = connection;
    const kept = await file.read();
    // The data folder may be used with another database since, which lacks the account.
    const isKnown = kept !== null && (await accountExists(bus, kept.account_id));
    const account = isKnown ? await renew(bus, kept) : await create(bus);
    await file.write(account);
    await bus.request(rehearsalRpc.allow, { account_id: account.account_id });
    return account;
  } finally {
    await connection.close();
  }
}

/** Reports each new webhook secret of the account, until the stack stops. */
export async function followWebhookSecret(
  account: Pick<CreatedAccount, 'account_id' | 'webhook_secret'>,
  natsUrl: string,
  { stop, rotated }: { stop: AbortSignal; rotated: (secret: string) => Promise<void> },
): Promise<void> {
  const { bus, close } = await connectBus(natsUrl, 'launcher');
  try {
    for (let known = account.webhook_secret; ;) {
      await SYSTEM_CLOCK.sleep(POLL_INTERVAL_MS, stop);
      // A failed request is retried at the next poll, because billing may be away for a moment.
      const current = await currentSecret(bus, account.account_id).catch(() => known);
      if (current === known) continue;
      known = current;
      await rotated(current);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  } finally {
    await close().catch(() => undefined);
  }
}

function create(bus: Bus): Promise<CreatedAccount> {
  const request = { name: 'Demo', balance_micros: DEMO_BALANCE_MICROS, key_scope: DEMO_SCOPE, ...DEMO_LIMITS } as const;
  return bus.request(billingAdminRpc.createAccount, request);
}

async function renew(bus: Bus, kept: CreatedAccount): Promise<CreatedAccount> {
  const { account_id, api_key_id } = kept;
  const { data } = await bus.request(billingAdminRpc.listKeys, { account_id });
  const key = data.find((each) => each.api_key_id === api_key_id);
  const isValid = key?.revoked_at === null && (key.expires_at === null || Date.parse(key.expires_at) > Date.now());
  const renewed = isValid
    ? {}
    : await bus.request(billingAdminRpc.createKey, { account_id, name: 'demo', scope: DEMO_SCOPE });
  const { api_key = kept.api_key, api_key_id: id = api_key_id } = renewed as Partial<CreatedAccount>;
  return { account_id, api_key, api_key_id: id, webhook_secret: await currentSecret(bus, account_id) };
}

async function currentSecret(bus: Bus, accountId: string): Promise<string> {
  const { secrets } = await bus.request(billingRpc.getWebhookSecrets, { account_id: accountId });
  const [current] = secrets;
  if (current === undefined) throw new Error(`Account ${accountId} has no webhook secret.`);
  return current;
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
