import { statement } from '@kinora/database';
import { LastUseRecorder } from '../src/api-key/last-use-recorder';
import { BillingConfig } from '../src/billing.config';
import { useBilling, sha256 } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';
import { FindInvalidKeys } from '../src/use-cases/find-invalid-keys.query';

const billing = useBilling();

const END = statement(
  'spec_end_key',
  `UPDATE api_key SET expires_at = CASE WHEN former_hash IS NULL THEN now() END,
     former_valid_until = CASE WHEN former_hash IS NOT NULL THEN now() END WHERE id = $1`,
);

/** Those of the secrets whose keys are invalid. */
async function invalidOf(secrets: string[]): Promise<string[]> {
  const { key_sha256s } = await billing.get(FindInvalidKeys).execute({ key_sha256s: secrets.map(sha256) });
  return secrets.filter((secret) => key_sha256s.includes(sha256(secret)));
}

describe('the search for invalid keys', () => {
  it('finds unknown, revoked, expired and replaced ones among valid ones', async () => {
    const account = await SelfService.open(billing);
    const [valid, revoked, expired, rotated] = [
      await account.create(),
      await account.create(),
      await account.create(),
      await account.create(),
    ];
    await account.revoke(revoked.id);
    await billing.database.execute(END, [expired.id]);
    const successor = await account.rotate(rotated.id);
    const [former, next] = [rotated.api_key, successor.api_key];
    expect(await invalidOf([valid.api_key, 'unknown', revoked.api_key, expired.api_key, former, next])).toEqual([
      'unknown',
      revoked.api_key,
      expired.api_key,
      former,
    ]);
  });

  it('finds both secrets of a rotated key valid until its overlap is over, or the key is revoked', async () => {
    const account = await SelfService.open(billing);
    const [one, other] = [await account.create(), await account.create()];
    const secrets = [one.api_key, (await account.rotate(one.id, 60)).api_key];
    const others = [other.api_key, (await account.rotate(other.id, 60)).api_key];
    expect(await invalidOf([...secrets, ...others])).toEqual([]);
    await billing.database.execute(END, [one.id]);
    await account.revoke(other.id);
    expect(await invalidOf([...secrets, ...others])).toEqual([one.api_key, ...others]);
  });

  it('knows the keys of both peppers during their rotation', async () => {
    const account = await SelfService.open(billing);
    const config = billing.get(BillingConfig);
    const { keyPepper } = config;
    Object.assign(config, { keyPepper: 'the next pepper, of 32 characters, too', keyPepperAccepted: keyPepper });
    try {
      const { api_key } = await account.create();
      expect(await invalidOf([api_key, account.api_key, 'unknown'])).toEqual(['unknown']);
    } finally {
      Object.assign(config, { keyPepper, keyPepperAccepted: '' });
    }
  });

  it('answers for 1,000 keys, and counts as no use of them', async () => {
    const account = await SelfService.open(billing);
    const unknown = Array.from({ length: 999 }, (_, index) => `unknown ${index}`);
    expect(await invalidOf([...unknown, account.api_key])).toEqual(unknown);
    await billing.get(LastUseRecorder).flush();
    expect((await account.find(account.caller.api_key_id))?.last_used_at).toBeNull();
  });
});
