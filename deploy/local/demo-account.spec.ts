import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type AccountDetails,
  type ApiKeyDetails,
  type CreateAccountRequest,
  type CreatedAccount,
  billingAdminRpc,
} from '@kinora/contracts/billing/billing-admin.rpc';
import { billingRpc } from '@kinora/contracts/billing/billing.rpc';
import { rehearsalRpc } from '@kinora/contracts/moderation/moderation-admin.rpc';
import { TestBroker, type TestService, answering, on, startTestService } from '@kinora/testing';
import { ensureDemoAccount } from './demo-account';
import { PrivateJsonFile } from './private-json-file';

const made = { account_id: 'acc-1', api_key: 'knr_live_1', api_key_id: 'key-1', webhook_secret: 'whsec_1' };
const opened: CreateAccountRequest[] = [];
const revoked = { api_key_id: 'key-1', revoked_at: '2026-11-20T09:00:00Z', expires_at: null } as ApiKeyDetails;

const Contexts = answering(
  on(billingAdminRpc.createAccount, (request) => {
    opened.push(request);
    return made;
  }),
  on(billingAdminRpc.showAccount, ({ account_id }) => ({ account_id }) as AccountDetails),
  on(billingAdminRpc.listKeys, () => ({ data: [revoked] })),
  on(billingAdminRpc.createKey, () => ({ api_key: 'knr_live_2', api_key_id: 'key-2', prefix: 'knr_live_2' })),
  on(billingRpc.getWebhookSecrets, () => ({ secrets: ['whsec_2', 'whsec_1'] })),
  on(rehearsalRpc.allow, () => ({})),
);

/** local-stack.e2e-spec.ts has its limits, its later starts, and a rotation beside it. */
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

  it('has a key for the self-service, and gets another one at the next start if it was revoked, and the current secret', async () => {
    expect(await ensureDemoAccount(file, broker.url)).toEqual(made);
    const renewed = { ...made, api_key: 'knr_live_2', api_key_id: 'key-2', webhook_secret: 'whsec_2' };
    expect(await ensureDemoAccount(file, broker.url)).toEqual(renewed);
    expect(await file.read()).toEqual(renewed);
    expect(opened).toMatchObject([{ key_scope: 'account' }]);
  });
});
