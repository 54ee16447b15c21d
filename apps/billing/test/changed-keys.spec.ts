import { v7 as uuidv7 } from 'uuid';
import { countByOutcome, useBilling } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';
import { RevokeKey } from '../src/use-cases/revoke-key.use-case';
import { statement } from '@kinora/database';
import { BillingConfig } from '../src/billing.config';

const billing = useBilling();

const open = () => SelfService.open(billing);
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const last = { code: 'last_account_key', status: 400 };

describe('a revocation by a key', () => {
  it('ends the key at once, and leaves every list', async () => {
    const account = await open();
    const { id, api_key } = await account.create();
    await account.revoke(id);
    await expect(account.admit(api_key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect((await account.list()).map((key) => key.id)).toEqual([account.caller.api_key_id]);
    await expect(account.revoke(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stands in the audit trail with the key that made it', async () => {
    const account = await open();
    const { id } = await account.create();
    await account.revoke(id);
    const data = await billing.actionsOf(account.caller.account_id);
    expect(data[0]).toMatchObject({
      action: 'revoke_key',
      api_key_id: account.caller.api_key_id,
      details: { revoked_key_id: id },
    });
  });

  it('may end the key itself', async () => {
    const account = await open();
    const { id, api_key } = await account.create({ scope: 'account' });
    await account.by(id).revoke(id);
    await expect(account.admit(api_key)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it.each(['not-a-uuid', uuidv7()])('of a key that does not exist is 404: %s', async (id) => {
    await expect((await open()).revoke(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of a key of another account is 404', async () => {
    const [account, other] = [await open(), await open()];
    await other.create({ scope: 'account' });
    await expect(account.revoke(other.caller.api_key_id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the last key of the scope account', () => {
  it('cannot be revoked, whatever other keys there are', async () => {
    const account = await open();
    await account.create({ scope: 'jobs' });
    await account.create({ scope: 'read' });
    await expect(account.revoke(account.caller.api_key_id)).rejects.toMatchObject(last);
  });

  it('is not replaced by a key that expires earlier', async () => {
    const account = await open();
    const { id: brief } = await account.create({ scope: 'account', expires_at: inHours(1) });
    await expect(account.revoke(account.caller.api_key_id)).rejects.toMatchObject(last);
    await account.revoke(brief);
  });

  it('is replaced by a key that lasts as long', async () => {
    const account = await open();
    await account.create({ scope: 'account' });
    await account.revoke(account.caller.api_key_id);
  });

  it('remains although two keys revoke each other at once', async () => {
    for (let round = 0; round < 10; round++) {
      const account = await open();
      const { id } = await account.create({ scope: 'account' });
      const other = account.by(id);
      const ends = await Promise.allSettled([account.revoke(id), other.revoke(account.caller.api_key_id)]);
      expect(countByOutcome(ends.map(({ status }) => status))).toEqual({ fulfilled: 1, rejected: 1 });
    }
  });

  it('remains although each of two keys revokes itself at once', async () => {
    for (let round = 0; round < 10; round++) {
      const account = await open();
      const { id } = await account.create({ scope: 'account' });
      const revocations = [account.revoke(account.caller.api_key_id), account.by(id).revoke(id)];
      const ends = await Promise.allSettled(revocations);
      const reasons = ends.map((end) =>
        end.status === 'rejected' ? (end.reason as { code: string }).code : 'revoked',
      );
      expect(countByOutcome(reasons)).toEqual({ revoked: 1, last_account_key: 1 });
    }
  });

  it('can be revoked by an operator', async () => {
    const account = await open();
    await billing.get(RevokeKey).execute({ api_key_id: account.caller.api_key_id });
    await expect(account.admit(account.api_key)).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('a key with restrictions', () => {
  it.each([{ allowed_models: ['a'] }, { expires_at: inHours(1) }, { cap_micros: 9, cap_period: 'day' } as const])(
    'manages itself and the keys that it has created only: %j',
    async (limits) => {
      const owner = await open();
      const { id: foreign } = await owner.create();
      const account = await owner.restricted(limits);
      const own = account.caller.api_key_id;
      const budget = 'cap_micros' in limits ? ({ budget_micros: 1, budget_period: 'day' } as const) : {};
      const { id } = await account.create(budget);
      expect((await account.list()).map((key) => key.id)).toEqual([id, own]);
      for (const unseen of [foreign, owner.caller.api_key_id]) {
        await expect(account.revoke(unseen)).rejects.toMatchObject({ code: 'not_found' });
        await expect(account.rotate(unseen)).rejects.toMatchObject({ code: 'not_found' });
      }
      await account.rotate(id);
      await account.revoke(id);
      await account.revoke(own);
      expect((await owner.list()).map((key) => key.id)).toEqual([foreign, owner.caller.api_key_id]);
    },
  );
});

/** As if the overlap of a key's rotation had passed. */
const END_OVERLAP = statement(
  'spec_end_overlap',
  `UPDATE api_key SET former_valid_until = now() - interval '1 second' WHERE id = $1`,
);

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
