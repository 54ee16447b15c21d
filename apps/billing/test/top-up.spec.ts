import { useBilling, runConcurrently } from './billing.fixtures';
import { GetStatement } from '../src/use-cases/list-statement.query';
import { GrantCredit, TopUp } from '../src/use-cases/change-balance.use-case';

const billing = useBilling();

describe('a top-up with a reference', () => {
  const open = async () => (await billing.createAccount()).account_id;
  const topUp = (account_id: string, amount_micros: number, reference?: string) =>
    billing.get(TopUp).execute({ account_id, amount_micros, ...(reference !== undefined && { reference }) });
  const linesOf = async (account_id: string) => (await billing.get(GetStatement).execute({ account_id })).data;

  it('adds once, and returns the first entry to a repeated request', async () => {
    const account = await open();
    const first = await topUp(account, 500, 'invoice 17');
    const second = await topUp(account, 500, 'invoice 17');

    expect([first.entry_repeated, second.entry_repeated]).toEqual([false, true]);
    expect(second).toMatchObject({ entry_id: first.entry_id, balance_micros: 500 });
    expect(await linesOf(account)).toMatchObject([
      { entry_id: first.entry_id, kind: 'top_up', amount_micros: 500, reference: 'invoice 17' },
    ]);
    const data = await billing.actionsOf(account);
    expect(data.filter(({ action }) => action === 'top_up')).toHaveLength(1);
  });

  it('adds once for concurrent requests', async () => {
    const account = await open();
    const answers = await runConcurrently(50, async () => (await topUp(account, 500, 'invoice 18')).entry_id ?? '');

    expect(new Set(answers).size).toBe(1);
    expect(await linesOf(account)).toMatchObject([{ entry_id: answers[0], balance_after_micros: 500 }]);
  });

  it('refuses the reference for another amount or kind, and names its first use', async () => {
    const account = await open();
    await topUp(account, 500, 'invoice 19');
    const refused = { code: 'invalid_body', param: 'reference' };

    await expect(topUp(account, 501, 'invoice 19')).rejects.toMatchObject(refused);
    await expect(topUp(account, 501, 'invoice 19')).rejects.toThrow('a top_up of 500 micros');
    const credit = { account_id: account, amount_micros: 500, reference: 'invoice 19' };
    await expect(billing.get(GrantCredit).execute(credit)).rejects.toMatchObject(refused);
    expect(await linesOf(account)).toHaveLength(1);
  });

  it('belongs to one account; two top-ups without one add twice', async () => {
    const [one, other] = [await open(), await open()];
    await topUp(one, 500, 'invoice 20');
    expect(await topUp(other, 700, 'invoice 20')).toMatchObject({ balance_micros: 700, entry_repeated: false });
    await topUp(one, 500);
    expect(await topUp(one, 500)).toMatchObject({ balance_micros: 1_500 });
    await expect(topUp(one, 500, '')).rejects.toMatchObject({ param: 'reference' });
  });
});
