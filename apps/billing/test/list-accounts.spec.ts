import type { ListAccountsRequest } from '@kinora/contracts/billing/account-list.rpc';
import { useBilling } from './billing.fixtures';
import { ListAccounts } from '../src/use-cases/get-account.query';

const billing = useBilling();

describe('list accounts', () => {
  const create = (name: string) => billing.createAccount({ name, balance_micros: 7 });
  const list = (request: ListAccountsRequest) => billing.get(ListAccounts).execute(request);
  const idsOf = async (request: ListAccountsRequest) => (await list(request)).data.map(({ account_id }) => account_id);

  it('finds an account by a part of its name, a prefix of its id, or the shown prefix of a key', async () => {
    const ada = await create('Ada 100% Lovelace_1');
    await create('Bob 100 of them');
    const wanted = [ada.account_id];
    for (const search of ['lovelace', '100% L', 'LACE_', ada.account_id.slice(0, 30), ada.api_key.slice(0, 12)])
      expect({ search, found: await idsOf({ search }) }).toEqual({ search, found: wanted });
    // A search has no wildcards.
    for (const search of ['100_', 'Ada%1', ada.account_id.slice(1), ada.api_key.slice(1, 12)])
      expect({ search, found: await idsOf({ search }) }).toEqual({ search, found: [] });
    expect((await list({ search: 'lovelace' })).data).toEqual([
      {
        account_id: ada.account_id,
        name: 'Ada 100% Lovelace_1',
        status: 'active',
        balance_micros: 7,
        in_flight_jobs: 0,
        created_at: expect.stringMatching(/Z$/) as string,
      },
    ]);
  });

  it('shows each once, newest first, page by page, while others are created', async () => {
    const created: string[] = [];
    for (let index = 0; index < 5; index++) created.push((await create('paged')).account_id);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list({ search: 'paged', limit: 2, ...(cursor && { cursor }) });
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data.map(({ account_id }) => account_id));
      cursor = page.next_cursor;
      await create('paged');
    }
    expect(seen).toEqual(created.toReversed());
  });

  it('shows accounts of one status alone', async () => {
    const { account_id } = await create('quiet');
    await create('quiet');
    await billing.setStatus({ account_id, status: 'paused' });
    expect(await idsOf({ search: 'quiet', status: 'paused' })).toEqual([account_id]);
  });

  it.each<[string, object]>([
    ['limit', { limit: 101 }],
    ['limit', { limit: 0 }],
    ['cursor', { cursor: 'x' }],
    ['search', { search: '' }],
    ['status', { status: 'happy' }],
  ])('names an invalid %s: %j', async (param, request) => {
    await expect(list(request)).rejects.toMatchObject({ code: 'invalid_body', param });
  });
});
