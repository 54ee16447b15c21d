import type { KeySpendList } from '@kinora/contracts/billing/own-money.rpc';
import { statement } from '@kinora/database';
import { v7 as uuidv7 } from 'uuid';
import { useBilling, runConcurrently, sha256 } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';
import { Capture } from '../src/use-cases/end-hold.use-case';
import { CreatePortalLink, RedeemPortalLink } from '../src/use-cases/portal-session.use-case';
import { ListKeySpend } from '../src/use-cases/list-account-keys.query';

/** The time of the lists: the last of a day and a month. */
const NOW = new Date('2026-11-30T23:59:59.999Z');
const billing = useBilling({}, { createdAt: { hold: NOW } });

const MOVE_BACK = statement(
  'spec_move_back',
  `UPDATE hold SET created_at = created_at - $2 * interval '1 day' WHERE job_id = $1`,
);

const list = ({ key_sha256 }: SelfService, days?: number): Promise<KeySpendList> =>
  billing.get(ListKeySpend).execute({ key_sha256, ...(days !== undefined && { days }) }, NOW);

const spendOf = ({ data }: KeySpendList) =>
  data.map(({ api_key_id, jobs, charged_micros }) => [api_key_id, jobs, charged_micros]);

async function charge(account: SelfService, keyId: string, amount: number, daysAgo = 0): Promise<void> {
  const job_id = uuidv7();
  await account.reserve(keyId, job_id, amount);
  if (daysAgo > 0) await billing.database.execute(MOVE_BACK, [job_id, daysAgo]);
  await billing.capture(job_id);
}

describe('the spend of keys', () => {
  it('is what was captured for each of them, without a budget too, the dearest first', async () => {
    const account = await SelfService.open(billing);
    const { id, name, prefix } = await account.create({ name: 'web shop' });
    await charge(account, account.caller.api_key_id, 10);
    await charge(account, id, 20);
    await charge(account, id, 5);
    const { data, has_more } = await list(account);
    expect(data[0]).toEqual({ api_key_id: id, name, prefix, revoked_at: null, jobs: 2, charged_micros: 25 });
    expect(data[1]).toMatchObject({ api_key_id: account.caller.api_key_id, jobs: 1, charged_micros: 10 });
    expect([data.length, has_more]).toEqual([2, false]);
  });

  it('contains no job in flight and no refund, and each job once, however often its end is reported', async () => {
    const account = await SelfService.open(billing);
    const own = account.caller.api_key_id;
    const [held, refunded, captured] = [uuidv7(), uuidv7(), uuidv7()];
    for (const job of [held, refunded, captured]) await account.reserve(own, job, 7);
    await runConcurrently(20, () => billing.capture(captured));
    await billing.refund(refunded);
    expect(spendOf(await list(account))).toEqual([[own, 1, 7]]);
  });

  it('stays exact while many jobs of several keys end at once', async () => {
    const account = await SelfService.open(billing);
    const { account_id } = account.caller;
    await billing.setLimits({ account_id, max_concurrent_jobs: 200 });
    const keys = [account.caller.api_key_id, (await account.create()).id];
    const jobs = Array.from({ length: 200 }, (_, place) => ({ job_id: uuidv7(), key: keys[place % 2] as string }));
    for (const { job_id, key } of jobs) await account.reserve(key, job_id, 3);
    await runConcurrently(jobs.length, (index) => billing.get(Capture).execute({ job_id: jobs[index]?.job_id ?? '' }));
    const spend = spendOf(await list(account)).sort();
    expect(spend).toEqual(keys.sort().map((key) => [key, 100, 300]));
  });

  it('counts a job on the day on which it was created, in the last 30 days unless the request says another number', async () => {
    const account = await SelfService.open(billing);
    const own = account.caller.api_key_id;
    await charge(account, own, 1);
    await charge(account, own, 10, 6);
    await charge(account, own, 100, 29);
    await charge(account, own, 1_000, 30);
    expect(spendOf(await list(account, 1))).toEqual([[own, 1, 1]]);
    expect(spendOf(await list(account, 7))).toEqual([[own, 2, 11]]);
    expect(spendOf(await list(account))).toEqual([[own, 3, 111]]);
    expect(spendOf(await list(account, 366))).toEqual([[own, 4, 1_111]]);
    expect(await list(account, 1)).toMatchObject({ from: '2026-11-30', to: '2026-11-30' });
    expect(await list(account)).toMatchObject({ from: '2026-11-01', to: '2026-11-30' });
  });

  it('includes revoked keys, and the keys of portal sessions as one line', async () => {
    const account = await SelfService.open(billing);
    const revoked = await account.create();
    await charge(account, revoked.id, 50);
    await account.revoke(revoked.id);
    for (const amount of [3, 4]) await charge(account, await openPortal(account), amount);
    const { data } = await list(account);
    expect(data).toEqual([
      expect.objectContaining({ api_key_id: revoked.id, charged_micros: 50, revoked_at: expect.any(String) as string }),
      { api_key_id: null, name: null, prefix: null, revoked_at: null, jobs: 2, charged_micros: 7 },
    ]);
  });

  it('of other keys is hidden from a key that manages only itself and the keys that it has created', async () => {
    const account = await SelfService.open(billing);
    const restricted = await account.restricted({ allowed_models: ['a'] });
    const child = await restricted.create({ models: ['a'] });
    for (const key of [account.caller.api_key_id, restricted.caller.api_key_id, child.id])
      await charge(account, key, 2);
    await charge(account, await openPortal(account), 9);
    const known = spendOf(await list(restricted)).map(([key]) => key);
    expect(known.sort()).toEqual([restricted.caller.api_key_id, child.id].sort());
    expect((await list(account)).data).toHaveLength(4);
  });

  it('of another account is not listed', async () => {
    const [one, other] = [await SelfService.open(billing), await SelfService.open(billing)];
    await charge(one, one.caller.api_key_id, 2);
    expect(spendOf(await list(other))).toEqual([]);
  });

  it.each([
    ['an unknown key', 'f'.repeat(64)],
    ['the id of a key', ''],
  ])('is refused for %s', async (_what, hash) => {
    const { caller } = await SelfService.open(billing);
    const listing = billing.get(ListKeySpend).execute({ ...caller, key_sha256: hash || caller.api_key_id });
    await expect(listing).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it.each([0, 367, 1.5])('is refused for %d days', async (days) => {
    const account = await SelfService.open(billing);
    await expect(list(account, days)).rejects.toMatchObject({ code: 'invalid_body', param: 'days' });
  });
});

/** @returns the id of the key of a new portal session. */
async function openPortal({ caller: { account_id } }: SelfService): Promise<string> {
  const { token } = await billing
    .get(CreatePortalLink)
    .execute({ account_id, ttl_seconds: 60, capabilities: ['jobs'] });
  const token_sha256 = sha256(token);
  return (await billing.get(RedeemPortalLink).execute({ token_sha256 })).api_key_id;
}
