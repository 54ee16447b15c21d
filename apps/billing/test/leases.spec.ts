import type { Admission, TokenLease } from '@kinora/contracts/billing/billing.rpc';
import { statement } from '@kinora/database';
import { type BillingBus, useBilling, runConcurrently, sha256 } from './billing.fixtures';
import { Admit, ReturnLease } from '../src/use-cases/admit.use-case';
import { CreatePortalLink, RedeemPortalLink, RevokePortalKey } from '../src/use-cases/portal-session.use-case';
import { RevokeKey } from '../src/use-cases/revoke-key.use-case';
import { LeaseRepository } from '../src/rate-limit/leases';
import { ChangeAccount } from '../src/use-cases/change-account.use-case';

const BEGIN = '2026-11-14T12:00:00Z';
const EXPIRE_SOON = statement(
  'spec_expire_soon',
  `UPDATE api_key SET expires_at = now() + interval '600 milliseconds' WHERE id = $1`,
);

describe('leases of tokens', () => {
  /** What the gateways do when the signal arrives; nothing where it is lost. */
  let onRecall: () => void;
  const recalled: unknown[] = [];

  const bus: BillingBus = {
    request: () => Promise.reject(new Error('Nothing is requested here.')),
    signal: (_contract, payload) => {
      recalled.push(payload);
      onRecall();
    },
  };
  const billing = useBilling({}, { bus: () => bus, now: BEGIN });
  let nowMs = Date.parse(BEGIN);
  const pass = (ms: number) => billing.setNow(new Date((nowMs += ms)).toISOString());
  /** Leases end while a command waits for them, and not before. */
  const passAtNextPoll = () => {
    const leases = billing.get(LeaseRepository);
    const areOpen = leases.areOpen.bind(leases);
    jest.spyOn(leases, 'areOpen').mockImplementationOnce(async (keyIds) => {
      await pass(1_000);
      return await areOpen(keyIds);
    });
  };
  beforeEach(() => {
    recalled.length = 0;
    onRecall = () => undefined;
  });

  const open = (rate_limit_rpm: number) => billing.createAccount({ rate_limit_rpm });
  const admit = (key: string, lease_tokens?: number, tokens: 0 | 1 = 1): Promise<Admission> => {
    return billing
      .get(Admit)
      .execute({ key_sha256: sha256(key), tokens, ...(lease_tokens !== undefined && { lease_tokens }) });
  };
  const lease = async (key: string, tokens: number): Promise<TokenLease> => {
    const { lease: granted } = await admit(key, tokens);
    if (!granted) throw new Error('The bucket granted no lease.');
    return granted;
  };
  const giveBack = (api_key_id: string, { tokens, token_micros }: TokenLease, unused = tokens) =>
    billing
      .get(ReturnLease)
      .execute({ api_key_id, leased_micros: tokens * token_micros, unused_micros: unused * token_micros });
  const openForMs = async (accountId: string, revokedKeyId: string | null = null): Promise<number> =>
    (await billing.get(LeaseRepository).findOpen(accountId, revokedKeyId)).openMs;
  const allowedOf = async (count: number, key: string): Promise<number> =>
    ((await runConcurrently(count, () => admit(key))) as Admission[]).filter(({ rate }) => rate.allowed).length;

  it('hold what was requested and one second of refill, and end within a second', async () => {
    const { api_key } = await open(600);
    const { rate, lease: granted } = await admit(api_key, 5);
    expect(rate).toEqual({ allowed: true, limit: 600, remaining: 599 });
    expect(granted).toEqual({ tokens: 16, token_micros: 100_000, missing_micros: 1_700_000, duration_ms: 900 });
  });

  it('hold at most an eighth of what is left, and nothing of a bucket that runs low', async () => {
    const [wide, low] = await Promise.all([open(60), open(8)]);
    expect(await lease(wide.api_key, 30)).toMatchObject({ tokens: 7 });
    expect(await admit(low.api_key, 30)).not.toHaveProperty('lease');
  });

  it('end before their key expires', async () => {
    const { api_key, api_key_id } = await open(600);
    await billing.database.execute(EXPIRE_SOON, [api_key_id]);
    expect(await lease(api_key, 5)).toMatchObject({ duration_ms: 500 });
  });

  it('count as used until they are returned, and leave no trace if nothing was spent', async () => {
    const { api_key, api_key_id } = await open(60);
    const remaining = async () => (await admit(api_key, 0, 0)).rate.remaining;
    const granted = await lease(api_key, 2);
    expect(await remaining()).toBe(59 - granted.tokens);
    await giveBack(api_key_id, granted, granted.tokens - 1);
    expect(await remaining()).toBe(58);
  });

  it('are recalled before a request is refused: in sum exactly the limit is admitted', async () => {
    const { account_id, api_key, api_key_id } = await open(60);
    const granted = await lease(api_key, 30);
    onRecall = () => {
      onRecall = () => undefined;
      void giveBack(api_key_id, granted, granted.tokens - 2);
    };
    // One token went with the lease, and two of the lease are spent.
    expect(await allowedOf(100, api_key)).toBe(57);
    expect(recalled).toContainEqual({ account_id });
  });

  it('of a gateway that does not answer do not delay a refusal for long', async () => {
    const { api_key } = await open(10);
    const { tokens } = await lease(api_key, 30);
    expect(await allowedOf(9 - tokens, api_key)).toBe(9 - tokens);
    const { rate } = await admit(api_key);
    expect(rate).toMatchObject({ allowed: false, retry_after_seconds: expect.any(Number) as number });
  });

  it('never let a bucket that is full again admit more than the limit together with them', async () => {
    const { account_id, api_key, api_key_id } = await open(6_000);
    const [first, second] = [await lease(api_key, 6), await lease(api_key, 6)];
    await giveBack(api_key_id, first);
    // What the second gateway used and holds has not refilled yet, and the returned tokens are not in use.
    await pass(400);
    const { remaining } = (await admit(api_key, 0, 0)).rate;
    expect(await openForMs(account_id)).toBe(600);
    expect(remaining + second.tokens).toBeLessThanOrEqual(6_000);
  });

  it.each([
    ['set-status', (account_id: string) => billing.setStatus({ account_id, status: 'paused' })],
    ['set-limits', (account_id: string) => billing.setLimits({ account_id, rate_limit_rpm: 7 })],
    ['assign', (account_id: string) => billing.get(ChangeAccount).setPriceGroup({ account_id, price_group: 'a' })],
    ['revoke', (_id: string, api_key_id: string) => billing.get(RevokeKey).execute({ api_key_id })],
  ] as const)('are returned or over when %s is answered', async (_name, change) => {
    const [deaf, answering] = await Promise.all([open(600), open(600)]);
    await lease(deaf.api_key, 5);
    passAtNextPoll();
    await change(deaf.account_id, deaf.api_key_id);
    expect(await openForMs(deaf.account_id, deaf.api_key_id)).toBe(0);

    const granted = await lease(answering.api_key, 5);
    onRecall = () => void giveBack(answering.api_key_id, granted);
    await change(answering.account_id, answering.api_key_id);
    expect(await openForMs(answering.account_id, answering.api_key_id)).toBe(0);
    expect(recalled).toEqual([deaf, answering].map(({ account_id }) => ({ account_id })));
  });

  it('are returned or over when the sign-out of a portal session is answered', async () => {
    const { account_id } = await open(600);
    const { token } = await billing.get(CreatePortalLink).execute({ account_id });
    const { api_key, api_key_id } = await billing.get(RedeemPortalLink).execute({ token_sha256: sha256(token) });
    await lease(api_key, 5);
    passAtNextPoll();
    await billing.get(RevokePortalKey).execute({ key_sha256: sha256(api_key) });
    expect(await openForMs(account_id, api_key_id)).toBe(0);
    expect(recalled).toEqual([{ account_id }]);
  });
});
