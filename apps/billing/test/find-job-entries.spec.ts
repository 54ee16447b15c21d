import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { GetStatement } from '../src/use-cases/list-statement.query';
import { FindJobEntries } from '../src/use-cases/find-holds.query';

const billing = useBilling();

describe('the entries of a job', () => {
  const entriesOf = async (job_id: string) => (await billing.get(FindJobEntries).execute({ job_id })).entries;

  it('are its reserve and its end, as the statement of the account shows them', async () => {
    const { account_id } = await billing.createAccount({ balance_micros: 100 });
    const [captured, refunded] = [uuidv7(), uuidv7()];
    await billing.reserve({ account_id, job_id: captured, amount_micros: 30 });
    await billing.reserve({ account_id, job_id: refunded, amount_micros: 50 });
    expect(await entriesOf(captured)).toMatchObject([{ kind: 'reserve', amount_micros: 30 }]);
    await billing.refund(refunded);
    await billing.capture(captured);

    const { data } = await billing.get(GetStatement).execute({ account_id });
    for (const job of [captured, refunded]) {
      const lines = data.filter(({ job_id }) => job_id === job);
      expect(await entriesOf(job)).toEqual(
        lines.map(({ entry_id, kind, amount_micros, created_at }) => ({ entry_id, kind, amount_micros, created_at })),
      );
    }
    expect((await entriesOf(refunded)).map(({ kind }) => kind)).toEqual(['reserve', 'refund']);
  });

  it('of an unknown job are none', async () => {
    expect(await entriesOf(uuidv7())).toEqual([]);
  });
});
