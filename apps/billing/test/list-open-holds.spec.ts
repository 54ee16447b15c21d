import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { ListHolds } from '../src/use-cases/list-records.query';
import { ListOpenHolds } from '../src/use-cases/find-holds.query';

const billing = useBilling();

describe('open holds', () => {
  let accountIds: string[];
  const open = Array.from({ length: 5 }, () => uuidv7());

  beforeAll(async () => {
    const create = () => billing.createAccount({ balance_micros: 100, max_concurrent_jobs: 9 });
    accountIds = [(await create()).account_id, (await create()).account_id];
    const reserve = (job_id: string, index: number) =>
      billing.reserve({ account_id: accountIds[index % 2] as string, job_id, amount_micros: index });
    const [captured, refunded, barred] = [uuidv7(), uuidv7(), uuidv7()];
    for (const [index, job_id] of [...open, captured, refunded].entries()) await reserve(job_id, index);
    await billing.capture(captured);
    await billing.refund(refunded);
    await billing.refund(barred);
  });

  it('are listed for all accounts, page by page', async () => {
    const list = billing.get(ListOpenHolds);
    const found: string[] = [];
    for (let after_job_id: string | null = null; ; after_job_id = found.at(-1) ?? null) {
      const { holds } = await list.execute({ older_than_seconds: 0, after_job_id, limit: 2 });
      found.push(...holds.map(({ job_id }) => job_id));
      if (holds.length < 2) break;
    }
    expect(found).toEqual(open);
  });

  it('are left out while they are young', async () => {
    const request = { older_than_seconds: 60, after_job_id: null, limit: 100 };
    expect(await billing.get(ListOpenHolds).execute(request)).toEqual({ holds: [] });
  });

  it('can be listed for one account', async () => {
    const [account_id] = accountIds as [string];
    const { data } = await billing.get(ListHolds).execute({ account_id });
    const created_at = expect.stringMatching(/Z$/);
    expect(data).toEqual(
      [0, 2, 4].map((index) => ({ job_id: open[index], account_id, amount_micros: index, created_at })),
    );
  });
});
