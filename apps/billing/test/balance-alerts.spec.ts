import { v7 as uuidv7 } from 'uuid';
import { BalanceAlerts } from '../src/use-cases/balance-alerts.use-case';
import { ListEmails } from '../src/use-cases/list-emails.query';
import { TopUp } from '../src/use-cases/change-balance.use-case';
import { runConcurrently, useBilling } from './billing.fixtures';
import { openToAll, People } from './users.fixtures';

const USD = 1_000_000;

describe('the warning about a low balance', () => {
  const billing = useBilling(openToAll());
  const alerts = () => billing.get(BalanceAlerts);

  it('comes once a crossing, at one process', async () => {
    const { account_id } = await billing.createAccount({ balance_micros: 10 * USD });
    expect(await alerts().show(account_id)).toEqual({ threshold_micros: null, is_below: false, owed_micros: 0 });
    await alerts().set({ account_id, threshold_micros: 8 * USD });
    expect(await alerts().noteCrossings()).toEqual([]);
    const job_id = uuidv7();
    await billing.reserve({ account_id, job_id, amount_micros: 3 * USD });
    expect(await alerts().show(account_id)).toMatchObject({ is_below: true });
    const noted = await runConcurrently(10, () => alerts().noteCrossings());
    expect(noted.flat()).toEqual([account_id]);
    await billing.get(TopUp).execute({ account_id, amount_micros: USD });
    expect(await alerts().noteCrossings()).toEqual([]);
    await billing.reserve({ account_id, job_id: uuidv7(), amount_micros: 2 * USD });
    expect(await alerts().noteCrossings()).toEqual([account_id]);
  });

  it('is an e-mail to the members who see the money', async () => {
    const people = new People(billing);
    const { account_id } = await people.signUp('owner@people.test');
    await people.join(account_id, 'developer@people.test', 'developer');
    const before = await people.emailsTo('developer@people.test');
    await alerts().set({ account_id, threshold_micros: USD });
    await alerts().noteCrossings();
    await alerts().noteCrossings();
    const { data } = await billing.get(ListEmails).list({});
    expect(data.filter(({ kind }) => kind === 'low_balance')).toMatchObject([
      { recipient: 'owner@people.test', text: expect.stringContaining('https://console.example.com/money') as string },
    ]);
    expect(await people.emailsTo('developer@people.test')).toBe(before);
  });

  it('ends when the customer wants none, and needs an amount', async () => {
    const { account_id } = await billing.createAccount({ balance_micros: USD });
    await alerts().set({ account_id, threshold_micros: 8 * USD });
    await alerts().set({ account_id, threshold_micros: null });
    expect(await alerts().noteCrossings()).toEqual([]);
    await expect(alerts().set({ account_id, threshold_micros: -1 })).rejects.toMatchObject({
      ...{ code: 'invalid_body', param: 'threshold_micros' },
    });
  });
});
