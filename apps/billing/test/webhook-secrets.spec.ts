import type { RotatedWebhookSecret } from '@kinora/contracts/billing/billing-admin.rpc';
import { statement } from '@kinora/database';
import { FORMER_SECRETS_MAX } from '../src/account/webhook-secret.repository';
import { runConcurrently, useBilling } from './billing.fixtures';
import {
  GetWebhookSecrets,
  RotateAccountWebhookSecret,
  RotateWebhookSecret,
} from '../src/use-cases/rotate-webhook-secret.use-case';
import type { KeyCaller } from '@kinora/contracts/billing/self-service.rpc';
import { SelfService } from './self-service.fixtures';

const billing = useBilling();

const HOUR_MS = 3_600_000;

describe('rotate webhook secret', () => {
  let rotate: RotateWebhookSecret;
  let account_id: string;
  let first: string;

  beforeAll(async () => {
    rotate = billing.get(RotateWebhookSecret);
  });
  beforeEach(async () => {
    ({ account_id, webhook_secret: first } = await billing.createAccount());
  });

  const wait = async (hours: number): Promise<void> => {
    const passed = `UPDATE webhook_secret SET valid_until = valid_until - $2 * interval '1 hour' WHERE account_id = $1`;
    await billing.database.execute(statement('spec_wait', passed), [account_id, hours]);
  };
  const signing = async (): Promise<string[]> => (await billing.get(GetWebhookSecrets).execute({ account_id })).secrets;

  it('keeps the previous secret valid for a day', async () => {
    const { webhook_secret, previous_valid_until } = await rotate.execute({ account_id });
    expect(await signing()).toEqual([webhook_secret, first]);
    const graceMs = Date.parse(previous_valid_until) - Date.now();
    expect(graceMs).toBeGreaterThan(23.9 * HOUR_MS);
    expect(graceMs).toBeLessThan(24.1 * HOUR_MS);
  });

  it('expires the previous secret at once without grace, but not those with a grace period', async () => {
    const second = await rotate.execute({ account_id, grace_hours: 1 });
    const third = await rotate.execute({ account_id, grace_hours: 0 });
    expect(await signing()).toEqual([third.webhook_secret, first]);
    expect(second.webhook_secret).not.toBe(third.webhook_secret);
  });

  it('keeps all unexpired secrets valid, newest first, after several rotations', async () => {
    const second = await rotate.execute({ account_id, grace_hours: 2 });
    const third = await rotate.execute({ account_id, grace_hours: 1 });
    expect(await signing()).toEqual([third.webhook_secret, second.webhook_secret, first]);
    await wait(1.5);
    expect(await signing()).toEqual([third.webhook_secret, first]);
    await wait(1);
    expect(await signing()).toEqual([third.webhook_secret]);
  });

  it('keeps three former secrets at most, the newest ones', async () => {
    const issued: string[] = [];
    for (let count = 0; count < FORMER_SECRETS_MAX + 2; count++)
      issued.unshift((await rotate.execute({ account_id })).webhook_secret);
    expect(await signing()).toEqual(issued.slice(0, FORMER_SECRETS_MAX + 1));
  });

  it('leaves one current secret after concurrent rotations', async () => {
    const rotated = await runConcurrently(10, () => rotate.execute({ account_id, grace_hours: 0 }));
    const [current, ...others] = await signing();
    expect(others).toEqual([]);
    const secrets = rotated.map((outcome) => (outcome as RotatedWebhookSecret).webhook_secret);
    expect(secrets).toContain(current);
    expect(secrets).not.toContain(undefined);
  });

  it.each([-1, 0.5, 721])('refuses a grace of %d hours', async (grace_hours) => {
    const refused = rotate.execute({ account_id, grace_hours });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_body', param: 'grace_hours' });
    expect(await signing()).toEqual([first]);
  });
});

const rotate = async (caller: KeyCaller, overlap_seconds: number): Promise<string> =>
  (await billing.get(RotateAccountWebhookSecret).execute({ ...caller, overlap_seconds })).webhook_secret;
const validSecrets = async ({ account_id }: KeyCaller): Promise<string[]> =>
  (await billing.get(GetWebhookSecrets).execute({ account_id })).secrets;

describe('a rotation of the webhook secret by a key', () => {
  it('lets the former secret sign for the overlap', async () => {
    const { caller } = await SelfService.open(billing);
    const [first] = await validSecrets(caller);
    const second = await rotate(caller, 60);
    expect(await validSecrets(caller)).toEqual([second, first]);
  });

  it('without an overlap leaves the new secret alone', async () => {
    const { caller } = await SelfService.open(billing);
    const second = await rotate(caller, 0);
    expect(await validSecrets(caller)).toEqual([second]);
  });

  it('never leaves more signatures than a few', async () => {
    const { caller } = await SelfService.open(billing);
    const issued: string[] = [];
    for (let count = 0; count < FORMER_SECRETS_MAX + 3; count++) issued.unshift(await rotate(caller, 604_800));
    expect(await validSecrets(caller)).toEqual(issued.slice(0, FORMER_SECRETS_MAX + 1));
  });

  it('needs the scope account, and stands in the audit trail without the secret', async () => {
    const account = await SelfService.open(billing);
    const { id } = await account.create();
    await expect(rotate(account.by(id).caller, 0)).rejects.toMatchObject({ code: 'scope_required' });
    const secret = await rotate(account.caller, 5);
    const data = await billing.actionsOf(account.caller.account_id);
    const { api_key_id } = account.caller;
    expect(data[0]).toMatchObject({ action: 'rotate_webhook_secret', api_key_id, details: { overlap_seconds: 5 } });
    expect(JSON.stringify(data)).not.toContain(secret);
  });
});
