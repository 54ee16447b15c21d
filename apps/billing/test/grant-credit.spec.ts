import { v7 as uuidv7 } from 'uuid';
import { countByOutcome, useBilling, runConcurrently } from './billing.fixtures';
import { GrantCredit } from '../src/use-cases/change-balance.use-case';

const billing = useBilling();

describe('a credit for a job', () => {
  /** An account whose job of 20 micros is in flight. */
  async function open() {
    const { account_id } = await billing.createAccount({ balance_micros: 100 });
    const job_id = uuidv7();
    await billing.reserve({ account_id, job_id, amount_micros: 20 });
    const refunded = { account_id, refunded_job_id: job_id };
    return {
      job_id,
      giveBack: (amount_micros = 20, other = {}) =>
        billing.get(GrantCredit).execute({ ...refunded, amount_micros, ...other }),
      balance: async () => (await billing.show(account_id)).balance_micros,
    };
  }
  const refused = (message: string) => ({ code: 'invalid_body', param: 'refunded_job_id', message });

  it('gives its price back once, whatever references the requests have', async () => {
    const account = await open();
    await billing.capture(account.job_id);
    const answers = await runConcurrently(10, async (index) => {
      const { entry_repeated } = await account.giveBack(20, { reference: `form ${index}` });
      return entry_repeated ? 'repeated' : 'granted';
    });
    expect(countByOutcome(answers)).toEqual({ granted: 1, repeated: 9 });
    expect(await account.balance()).toBe(100);
  });

  it('is refused while its price is held, and after it has returned', async () => {
    const account = await open();
    const { job_id } = account;
    const held = refused(`Job ${job_id} is not charged yet: try again when it has ended.`);
    await expect(account.giveBack()).rejects.toMatchObject(held);
    await billing.refund(job_id);
    const returned = refused(`Job ${job_id} has cost nothing: its price is back in the balance already.`);
    await expect(account.giveBack()).rejects.toMatchObject(returned);
    expect(await account.balance()).toBe(100);
  });

  it('is never more than the job has cost, and for jobs of the account only', async () => {
    const [account, other] = [await open(), await open()];
    for (const { job_id } of [account, other]) await billing.capture(job_id);
    await expect(account.giveBack(21)).rejects.toMatchObject(refused(`Job ${account.job_id} has cost 20 micros only.`));
    for (const refunded_job_id of [other.job_id, uuidv7()])
      await expect(account.giveBack(20, { refunded_job_id })).rejects.toMatchObject(
        refused(`Job ${refunded_job_id} is no job of this account.`),
      );
    await expect(account.giveBack(20, { refunded_job_id: 'x' })).rejects.toMatchObject({ param: 'refunded_job_id' });
  });
});
