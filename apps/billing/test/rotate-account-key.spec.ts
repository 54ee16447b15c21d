import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { BillingConfig } from '../src/billing.config';
import { useBilling } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';

const billing = useBilling();

/** As if the overlap of a key's rotation had passed. */
const END_OVERLAP = statement(
  'spec_end_overlap',
  `UPDATE api_key SET former_valid_until = now() - interval '1 second' WHERE id = $1`,
);

const open = () => SelfService.open(billing);
const invalid = { code: 'invalid_api_key' };

describe('a rotation', () => {
  it('keeps the key, and replaces its secret at once', async () => {
    const account = await open();
    const { api_key: former, ...before } = await account.create({ name: 'worker', models: ['a'], scope: 'read' });
    const { api_key, ...after } = await account.rotate(before.id);
    expect(after).toEqual({ ...before, prefix: api_key.slice(0, 12), last_used_at: null });
    expect(await account.admit(api_key)).toMatchObject({ api_key_id: before.id, scope: 'read', allowed_models: ['a'] });
    await expect(account.admit(former)).rejects.toMatchObject(invalid);
    expect((await account.list()).length).toBe(2);
  });

  it('leaves the former secret valid for the overlap, and no longer', async () => {
    const account = await open();
    const { id, api_key: former } = await account.create();
    const { api_key } = await account.rotate(id, 60);
    expect(await account.admit(former)).toMatchObject({ api_key_id: id });
    expect(await account.admit(api_key)).toMatchObject({ api_key_id: id });
    await billing.database.execute(END_OVERLAP, [id]);
    await expect(account.admit(former)).rejects.toMatchObject(invalid);
    expect(await account.admit(api_key)).toMatchObject({ api_key_id: id });
  });

  it('leaves one bucket and one budget to both secrets', async () => {
    const account = await open();
    const budget = { budget_micros: 10, budget_period: 'day' } as const;
    const { id, api_key: former } = await account.create(budget);
    await account.reserve(id, uuidv7(), 6);
    const { api_key } = await account.rotate(id, 60);
    // Twelve seconds a token, so that none comes back during the test.
    await billing.setLimits({ account_id: account.caller.account_id, rate_limit_rpm: 5 });
    const { remaining } = (await account.admit(former)).rate;
    expect((await account.admit(api_key)).rate.remaining).toBe(remaining - 1);
    await expect(account.reserve(id, uuidv7(), 5)).rejects.toMatchObject({ code: 'key_budget_exceeded' });
  });

  it('without an overlap ends every former secret, as after a leak', async () => {
    const account = await open();
    const { id, api_key: first } = await account.create();
    const { api_key: second } = await account.rotate(id, 3_600);
    await account.rotate(id);
    for (const secret of [first, second]) await expect(account.admit(secret)).rejects.toMatchObject(invalid);
  });

  it('keeps only the last of two former secrets', async () => {
    const account = await open();
    const { id, api_key: first } = await account.create();
    const { api_key: second } = await account.rotate(id, 3_600);
    await account.rotate(id, 3_600);
    await expect(account.admit(first)).rejects.toMatchObject(invalid);
    expect(await account.admit(second)).toMatchObject({ api_key_id: id });
  });

  it('is undone for both secrets by a revocation', async () => {
    const account = await open();
    const { id, api_key: former } = await account.create();
    const { api_key } = await account.rotate(id, 3_600);
    await account.revoke(id);
    for (const secret of [former, api_key]) await expect(account.admit(secret)).rejects.toMatchObject(invalid);
  });

  it('of the key itself is possible, also of the last one of the scope account', async () => {
    const account = await open();
    const { api_key } = await account.rotate(account.caller.api_key_id);
    expect(await account.admit(api_key)).toMatchObject({ scope: 'account' });
    await expect(account.admit(account.api_key)).rejects.toMatchObject(invalid);
  });

  it('leaves the former secret valid through a rotation of the pepper', async () => {
    const account = await open();
    const { id, api_key: former } = await account.create();
    const { api_key } = await account.rotate(id, 3_600);
    const config = billing.get(BillingConfig);
    const { keyPepper } = config;
    Object.assign(config, { keyPepper: 'the next pepper, of 32 characters, too', keyPepperAccepted: keyPepper });
    try {
      expect(await account.admit(api_key)).toMatchObject({ api_key_id: id });
      expect(await account.admit(former)).toMatchObject({ api_key_id: id });
    } finally {
      Object.assign(config, { keyPepper, keyPepperAccepted: '' });
    }
  });

  it('stands in the audit trail with the key that made it, and without a secret', async () => {
    const account = await open();
    const { id } = await account.create();
    const { api_key } = await account.rotate(id, 5);
    const data = await billing.actionsOf(account.caller.account_id);
    expect(data[0]).toMatchObject({
      action: 'rotate_key',
      api_key_id: account.caller.api_key_id,
      details: { rotated_key_id: id, overlap_seconds: 5 },
    });
    expect(JSON.stringify(data)).not.toContain(api_key.slice(12));
  });

  it('of a revoked key is 404', async () => {
    const account = await open();
    const { id } = await account.create();
    await account.revoke(id);
    await expect(account.rotate(id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
