import { isWellFormedApiKey } from '@kinora/contracts/billing/api-key-format';
import { statement } from '@kinora/database';
import { runConcurrently, sha256, useBilling } from './billing.fixtures';
import { ListRecords } from '../src/use-cases/list-records.query';
import { RevokeKey } from '../src/use-cases/revoke-key.use-case';
import { CreateKey } from '../src/use-cases/create-key.use-case';
import { LastUseRecorder } from '../src/api-key/last-use-recorder';
import { BillingConfig } from '../src/billing.config';
import { SelfService } from './self-service.fixtures';
import { FindInvalidKeys } from '../src/use-cases/find-invalid-keys.query';

const billing = useBilling();

describe('API keys', () => {
  let account_id: string;

  beforeEach(async () => {
    ({ account_id } = await billing.createAccount());
  });

  it('are shown once and listed by their prefix, newest first', async () => {
    const request = { account_id, name: 'laptop', expires_at: '2100-01-01T00:00:00+01:00' };
    const { api_key, api_key_id, prefix } = await billing.createKey(request);
    expect(isWellFormedApiKey(api_key)).toBe(true);
    expect(prefix).toBe(api_key.slice(0, 12));
    const { data } = await billing.get(ListRecords).listKeys({ account_id });
    const created_at = expect.stringMatching(/Z$/);
    const expires_at = '2099-12-31T23:00:00.000Z';
    expect(data.map(({ name }) => name)).toEqual(['laptop', 'default']);
    expect(data[0]).toEqual({
      api_key_id,
      name: 'laptop',
      prefix,
      scope: 'jobs',
      allowed_models: null,
      cap_micros: null,
      cap_period: null,
      spent_in_period_micros: null,
      created_at,
      expires_at,
      revoked_at: null,
      last_used_at: null,
    });
  });

  it('have the scope that was given, and nothing else is one', async () => {
    const createKey = billing.get(CreateKey);
    const { api_key_id } = await createKey.execute({ account_id, name: 'reader', scope: 'read' });
    const { data } = await billing.get(ListRecords).listKeys({ account_id });
    expect(data.find((key) => key.api_key_id === api_key_id)).toMatchObject({ scope: 'read' });
    const unknown = createKey.execute({ account_id, name: 'x', scope: 'admin' as 'account' });
    await expect(unknown).rejects.toMatchObject({ code: 'invalid_body', param: 'scope' });
  });

  it('cannot be read from the database', async () => {
    const { api_key } = await billing.createKey({ account_id, name: 'laptop' });
    const rows = await billing.database.query(statement('spec_key_rows', 'SELECT api_key::text AS row FROM api_key'));
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain(api_key.slice(12));
  });

  it('keep the time of their first revocation', async () => {
    const { api_key_id } = await billing.createKey({ account_id, name: 'laptop' });
    const revoked = await runConcurrently(20, () => billing.get(RevokeKey).execute({ api_key_id }));
    expect(new Set(revoked.map((key) => JSON.stringify(key))).size).toBe(1);
    expect(await billing.get(RevokeKey).execute({ api_key_id })).toEqual(revoked[0]);
    expect(revoked[0]).toMatchObject({ api_key_id, revoked_at: expect.stringMatching(/Z$/) });
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: ' \t\u00a0' }],
    ['expires_at', { name: 'laptop', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'laptop', expires_at: '2100-13-01T00:00:00Z' }],
    ['expires_at', { name: 'laptop', expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { name: 'laptop', expires_at: 4_102_444_800 }],
  ])('are refused with a bad %s: %j', async (param, given) => {
    const request = { account_id, ...given } as Parameters<CreateKey['execute']>[0];
    await expect(billing.createKey(request)).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});

const END = statement(
  'spec_end_key',
  `UPDATE api_key SET expires_at = CASE WHEN former_hash IS NULL THEN now() END,
     former_valid_until = CASE WHEN former_hash IS NOT NULL THEN now() END WHERE id = $1`,
);

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
