import type { StatementEntry } from '@kinora/contracts/billing/account-statement';
import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { SelfService } from './self-service.fixtures';
import { TopUp } from '../src/use-cases/change-balance.use-case';
import { ListAccountStatement } from '../src/use-cases/list-statement.query';

const billing = useBilling();

const list = (account: SelfService, limit: number, cursor?: string) =>
  billing.get(ListAccountStatement).execute({ ...account.caller, limit, ...(cursor !== undefined && { cursor }) });

/** Every entry by pages of the size; money moves before each of them. */
async function readAll(account: SelfService, limit: number): Promise<StatementEntry[]> {
  const entries: StatementEntry[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(account, limit, cursor ?? undefined);
    entries.push(...page.data);
    cursor = page.next_cursor;
    await billing.get(TopUp).execute({ account_id: account.caller.account_id, amount_micros: 1 });
  } while (cursor !== null);
  return entries;
}

async function openWithHistory(): Promise<SelfService> {
  const account = await SelfService.open(billing, 1_000);
  const [charged, refunded] = [uuidv7(), uuidv7()];
  for (const job of [charged, refunded]) await account.reserve(account.caller.api_key_id, job, 100);
  await billing.capture(charged);
  await billing.refund(refunded);
  const { account_id } = account.caller;
  await billing.get(TopUp).execute({ account_id, amount_micros: 50, reason: 'private words', reference: 'private' });
  return account;
}

describe('the statement of an account', () => {
  it('has every entry with its kind, its job and the balance after it, newest first', async () => {
    const account = await openWithHistory();
    const { data, has_more, next_cursor } = await list(account, 100);
    expect(
      data.map(({ kind, balance_delta_micros, balance_after_micros }) => [
        kind,
        balance_delta_micros,
        balance_after_micros,
      ]),
    ).toEqual([
      ['top_up', 50, 950],
      ['refund', 100, 900],
      ['capture', 0, 800],
      ['reserve', -100, 800],
      ['reserve', -100, 900],
      ['top_up', 1_000, 1_000],
    ]);
    expect([has_more, next_cursor]).toEqual([false, null]);
    expect(data[1]?.job_id).toBe(data[3]?.job_id);
    expect(Object.keys(data[0] ?? {}).sort()).toEqual(
      [
        'object',
        'id',
        'kind',
        'amount_micros',
        'balance_delta_micros',
        'balance_after_micros',
        'job_id',
        'created_at',
      ].sort(),
    );
    expect(JSON.stringify(data)).not.toContain('private');
  });

  it.each([1, 2, 4])('is the same by pages of %d, while money moves', async (limit) => {
    const account = await openWithHistory();
    const whole = (await list(account, 100)).data;
    expect(await readAll(account, limit)).toEqual(whole);
  });

  it.each(['', 'x', '1.5', Buffer.from('1').toString('base64url'), Buffer.from('1.-5').toString('base64url')])(
    'refuses a cursor that is none: %j',
    async (cursor) => {
      const account = await SelfService.open(billing);
      await expect(list(account, 1, cursor)).rejects.toMatchObject({ code: 'invalid_query', param: 'cursor' });
    },
  );

  it('is for keys of the scope account, and of this account only', async () => {
    const account = await openWithHistory();
    const { id } = await account.create();
    await expect(list(account.by(id), 1)).rejects.toMatchObject({ code: 'scope_required' });
    const other = await SelfService.open(billing, 7);
    expect((await list(other, 100, (await list(account, 1)).next_cursor ?? '')).data).toEqual([]);
  });
});
