import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Controller } from '@nestjs/common';
import { Handles } from '@kinora/bus';
import {
  type AccountDetails,
  type ApiKeyDetails,
  type CreateAccountRequest,
  type CreateKeyRequest,
  type CreatedAccount,
  type CreatedKey,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { rehearsalRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { ManualClock, TestBroker, type TestService, startTestService, waitFor } from '@kinora/testing';
import { ensureDemoAccount, followWebhookSecret } from './demo-account';
import { PrivateJsonFile } from './private-json-file';

/** The time between two polls of the secret. */
const POLL_INTERVAL_MS = 5_000;
const made = { account_id: 'acc-1', api_key: 'knr_live_1', api_key_id: 'key-1', webhook_secret: 'whsec_1' };
const state = {
  revoked: false,
  secrets: ['whsec_1'],
  opened: [] as CreateAccountRequest[],
  rehearsing: [] as string[],
  secretReads: 0,
};

@Controller()
class Contexts {
  @Handles(billingAdminRpc.createAccount)
  async createAccount(request: CreateAccountRequest): Promise<CreatedAccount> {
    state.opened.push(request);
    return made;
  }

  @Handles(billingAdminRpc.showAccount)
  async showAccount({ account_id }: { account_id: string }): Promise<AccountDetails> {
    return { account_id } as AccountDetails;
  }

  @Handles(billingAdminRpc.listKeys)
  async listKeys(_request: { account_id: string }): Promise<{ data: ApiKeyDetails[] }> {
    const key = { api_key_id: 'key-1', revoked_at: state.revoked ? '2026-11-20T09:00:00Z' : null, expires_at: null };
    return { data: [key as ApiKeyDetails] };
  }

  @Handles(billingAdminRpc.createKey)
  async createKey(_request: CreateKeyRequest): Promise<CreatedKey> {
    return { api_key: 'knr_live_2', api_key_id: 'key-2', prefix: 'knr_live_2' };
  }

  @Handles(billingRpc.getWebhookSecrets)
  async getWebhookSecrets(_request: { account_id: string }): Promise<{ secrets: string[] }> {
    state.secretReads += 1;
    return { secrets: state.secrets };
  }

  @Handles(rehearsalRpc.allow)
  async allow({ account_id }: { account_id: string }): Promise<Record<string, never>> {
    state.rehearsing.push(account_id);
    return {};
  }
}

describe('demo account', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kinora-demo-'));
  const file = new PrivateJsonFile<CreatedAccount>(path.join(folder, 'demo-account.json'));
  let broker: TestBroker;
  let contexts: TestService;

  beforeAll(async () => {
    broker = await TestBroker.start();
    contexts = await startTestService({ name: 'contexts', natsUrl: broker.url, controllers: [Contexts] });
  });
  afterAll(async () => {
    await contexts.close();
    await broker.close();
    rmSync(folder, { recursive: true });
  });

  it('is opened once, with limits suitable for trials, and its moderation test blocks record no strikes', async () => {
    expect(await ensureDemoAccount(file, broker.url)).toEqual(made);
    expect(await ensureDemoAccount(file, broker.url)).toEqual(made);
    const limits = { rate_limit_rpm: 600, max_concurrent_jobs: 20 };
    expect(state.opened).toEqual([{ name: 'Demo', balance_micros: 100_000_000, key_scope: 'account', ...limits }]);
    expect(state.rehearsing).toEqual(['acc-1', 'acc-1']);
  });

  it('gets another key at the next start if its key was revoked, and the current webhook secret', async () => {
    Object.assign(state, { revoked: true, secrets: ['whsec_2', 'whsec_1'] });
    const renewed = { ...made, api_key: 'knr_live_2', api_key_id: 'key-2', webhook_secret: 'whsec_2' };
    expect(await ensureDemoAccount(file, broker.url)).toEqual(renewed);
    expect(await file.read()).toEqual(renewed);
  });

  it('is polled while the stack runs: a rotated secret is reported once', async () => {
    const stop = new AbortController();
    const received: string[] = [];
    const clock = new ManualClock();
    const following = followWebhookSecret({ ...made, webhook_secret: 'whsec_2' }, broker.url, {
      stop: stop.signal,
      clock,
      rotated: async (secret) => void received.push(secret),
    });
    state.secrets = ['whsec_3', 'whsec_2'];
    state.secretReads = 0;
    // The second poll finds what the first one has reported.
    for (const reads of [1, 2]) {
      await waitFor(() => clock.waiting === 1);
      clock.advance(POLL_INTERVAL_MS);
      await waitFor(() => state.secretReads === reads);
    }
    await waitFor(() => clock.waiting === 1);
    stop.abort();
    await following;
    expect(received).toEqual(['whsec_3']);
  });
});
