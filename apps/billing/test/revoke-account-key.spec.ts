import { v7 as uuidv7 } from 'uuid';
import { countByOutcome, useBilling } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';
import { RevokeKey } from '../src/use-cases/revoke-key.use-case';

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
