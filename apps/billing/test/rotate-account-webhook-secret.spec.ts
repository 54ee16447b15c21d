import type { KeyCaller } from '@kinora/contracts/billing/self-service.rpc';
import { FORMER_SECRETS_MAX } from '../src/account/webhook-secret.repository';
import { useBilling } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';
import { GetWebhookSecrets, RotateAccountWebhookSecret } from '../src/use-cases/rotate-webhook-secret.use-case';

const billing = useBilling();

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
