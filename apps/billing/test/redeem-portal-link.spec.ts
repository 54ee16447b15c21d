import type { KeyScope } from '@kinora/contracts/billing/api-key-format';
import { statement } from '@kinora/database';
import { countByOutcome, useBilling, runConcurrently, sha256 } from './billing.fixtures';
import { BillingPruner } from '../src/background/billing-pruner';
import { SelfService } from './self-service.fixtures';
import { CreatePortalLink, RedeemPortalLink, RevokePortalKey } from '../src/use-cases/portal-session.use-case';
import { KeyProof } from '../src/api-key/key-proof';

const billing = useBilling();

const EXPIRE = statement('spec_expire_links', "UPDATE portal_link SET expires_at = now() - interval '1 second'");
const STORED = statement('spec_stored_links', 'SELECT * FROM portal_link WHERE account_id = $1');

const redeem = (token: string) => billing.get(RedeemPortalLink).execute({ token_sha256: sha256(token) });
const describeKey = (key: string) => billing.get(KeyProof).getKey({ key_sha256: sha256(key) });
const revoke = (key: string) => billing.get(RevokePortalKey).execute({ key_sha256: sha256(key) });

async function createLink(capabilities?: KeyScope[], ttl_seconds?: number) {
  const account = await SelfService.open(billing);
  const { account_id } = account.caller;
  const request = {
    account_id,
    actor: 'ada',
    ...(capabilities && { capabilities }),
    ...(ttl_seconds && { ttl_seconds }),
  };
  return { account, ...(await billing.get(CreatePortalLink).execute(request)) };
}

describe('a portal link', () => {
  it.each<[KeyScope[] | undefined, KeyScope]>([
    [undefined, 'jobs'],
    [['read'], 'read'],
    [['account', 'read'], 'account'],
  ])('with the capabilities %j makes a key of the scope %s, for twelve hours', async (capabilities, scope) => {
    const { token, account_id } = await createLink(capabilities);
    const key = await redeem(token);
    expect(key).toMatchObject({ account_id, scope });
    const hours = (Date.parse(key.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    const { api_key, ...known } = key;
    expect(await describeKey(api_key)).toEqual(known);
  });

  it('works once, also for many uses at the same time', async () => {
    const { token } = await createLink();
    const outcomes = await runConcurrently(20, async () => (await redeem(token)).scope);
    expect(countByOutcome(outcomes)).toEqual({ jobs: 1, not_found: 19 });
    await expect(redeem(token)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stops working at its end, and is then deleted', async () => {
    const { token, account_id } = await createLink();
    await billing.database.execute(EXPIRE);
    await expect(redeem(token)).rejects.toMatchObject({ code: 'not_found' });
    await billing.get(BillingPruner).prunePage();
    expect(await billing.database.query(STORED, [account_id])).toEqual([]);
  });

  it('is stored as a hash only', async () => {
    const { token, account_id } = await createLink();
    const [row] = await billing.database.query<{ token_hash: Buffer }>(STORED, [account_id]);
    expect(row?.token_hash.toString('hex')).toBe(sha256(token));
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it.each([
    [{ ttl_seconds: 59 }, 'ttl_seconds'],
    [{ ttl_seconds: 86_401 }, 'ttl_seconds'],
    [{ capabilities: [] }, 'capabilities'],
    [{ capabilities: ['all'] as never }, 'capabilities'],
  ])('is refused %j', async (input, param) => {
    const { account_id } = (await SelfService.open(billing)).caller;
    const creating = billing.get(CreatePortalLink).execute({ account_id, ...input });
    await expect(creating).rejects.toMatchObject({ code: 'invalid_body', param });
  });

  it('is refused for an account that does not exist', async () => {
    const account_id = '018f0000-0000-7000-8000-000000000009';
    const creating = billing.get(CreatePortalLink).execute({ account_id });
    await expect(creating).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['', 'x', "' OR true --", 'a'.repeat(64)])('does not exist with the hash %j', async (token_sha256) => {
    const redeeming = billing.get(RedeemPortalLink).execute({ token_sha256 });
    await expect(redeeming).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the key of a portal session', () => {
  it('is revoked at the sign-out, once, and with it no key that a program of the account uses', async () => {
    const { token, account } = await createLink();
    const { api_key } = await redeem(token);
    const { api_key: other } = await account.create();
    expect(await revoke(api_key)).toEqual({ revoked: true });
    expect(await revoke(api_key)).toEqual({ revoked: false });
    expect(await revoke(other)).toEqual({ revoked: false });
    await expect(describeKey(api_key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(await describeKey(other)).toMatchObject({ scope: 'jobs' });
  });

  it('is revoked by another key of its account, if that has the scope account', async () => {
    const { token, account } = await createLink();
    const { api_key, api_key_id: target_key_id } = await redeem(token);
    const revokeBy = ({ key_sha256 }: SelfService) =>
      billing.get(RevokePortalKey).execute({ key_sha256, target_key_id });
    await expect(revokeBy(await account.restricted({ scope: 'jobs' }))).rejects.toMatchObject({
      code: 'scope_required',
    });
    expect(await revokeBy(await SelfService.open(billing))).toEqual({ revoked: false });
    expect(await describeKey(api_key)).toMatchObject({ scope: 'jobs' });
    expect(await revokeBy(account)).toEqual({ revoked: true });
    await expect(describeKey(api_key)).rejects.toMatchObject({ code: 'invalid_api_key' });
    const data = await billing.actionsOf(account.caller.account_id);
    expect(data[0]).toMatchObject({
      ...{ action: 'end_portal_session', api_key_id: account.caller.api_key_id },
      details: { revoked_key_id: target_key_id },
    });
  });

  it('revokes itself by its id, and no key of a program', async () => {
    const { token, account } = await createLink();
    const { api_key, api_key_id } = await redeem(token);
    const revokeById = (key_sha256: string, target_key_id: string) =>
      billing.get(RevokePortalKey).execute({ key_sha256, target_key_id });
    const { id, api_key: other } = await account.create();
    expect(await revokeById(account.key_sha256, id)).toEqual({ revoked: false });
    expect(await revokeById(account.key_sha256, 'no id')).toEqual({ revoked: false });
    expect(await describeKey(other)).toMatchObject({ scope: 'jobs' });
    expect(await revokeById(sha256(api_key), api_key_id)).toEqual({ revoked: true });
  });

  it('is not among the keys that the account manages', async () => {
    const { token, account } = await createLink(['account']);
    const { api_key_id } = await redeem(token);
    expect((await account.list()).map(({ id }) => id)).not.toContain(api_key_id);
  });

  it('stands in the audit trail from the link to the sign-out', async () => {
    const { token, account_id } = await createLink(['account']);
    const { api_key, api_key_id } = await redeem(token);
    await revoke(api_key);
    const data = await billing.actionsOf(account_id);
    expect(data.slice(0, 3)).toMatchObject([
      { action: 'end_portal_session', api_key_id },
      { action: 'use_portal_link', actor: 'ada', details: { api_key_id, scope: 'account' } },
      { action: 'create_portal_link', actor: 'ada', details: { capabilities: ['account'] } },
    ]);
    expect(JSON.stringify(data)).not.toContain(token);
    expect(JSON.stringify(data)).not.toContain(api_key.slice(12));
  });
});
