import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { FindHolds } from '../src/use-cases/find-holds.query';
import { ListRecords } from '../src/use-cases/list-records.query';

describe('holds that the jobs service compares with its jobs', () => {
  const billing = useBilling();

  const [open, captured, refunded, barred] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  let account_id: string;

  beforeAll(async () => {
    ({ account_id } = await billing.createAccount({ balance_micros: 100 }));
    for (const job_id of [open, captured, refunded]) await billing.reserve({ account_id, job_id, amount_micros: 5 });
    await billing.capture(captured);
    await billing.refund(refunded);
    await billing.refund(barred);
  });

  const list = async (open_for_seconds: number, after_job_id: string | null = null, limit = 10) => {
    const { holds } = await billing.get(FindHolds).charging({ open_for_seconds, after_job_id, limit });
    return holds.map(({ job_id }) => job_id);
  };

  it('are listed if they are captured or open for long enough', async () => {
    expect(await list(0)).toEqual([open, captured]);
    expect(await list(60)).toEqual([captured]);
    expect(await list(0, null, 1)).toEqual([open]);
    expect(await list(0, open)).toEqual([captured]);
  });

  it('are found in every state except barred', async () => {
    const { holds } = await billing.get(FindHolds).byJobs({ job_ids: [open, captured, refunded, barred, uuidv7()] });
    const found = holds.map(({ job_id, state }) => [job_id, state]);
    expect(found.sort()).toEqual([
      [open, 'held'],
      [captured, 'captured'],
      [refunded, 'refunded'],
    ]);
    expect(holds[0]).toMatchObject({ account_id, amount_micros: 5 });
  });
});

describe('open holds', () => {
  const billing = useBilling();

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
    const found: string[] = [];
    for (let after_job_id: string | null = null; ; after_job_id = found.at(-1) ?? null) {
      const { holds } = await billing.get(FindHolds).open({ older_than_seconds: 0, after_job_id, limit: 2 });
      found.push(...holds.map(({ job_id }) => job_id));
      if (holds.length < 2) break;
    }
    expect(found).toEqual(open);
  });

  it('are left out while they are young', async () => {
    const request = { older_than_seconds: 60, after_job_id: null, limit: 100 };
    expect(await billing.get(FindHolds).open(request)).toEqual({ holds: [] });
  });

  it('can be listed for one account', async () => {
    const [account_id] = accountIds as [string];
    const { data } = await billing.get(ListRecords).listHolds({ account_id });
    const created_at = expect.stringMatching(/Z$/);
    expect(data).toEqual(
      [0, 2, 4].map((index) => ({ job_id: open[index], account_id, amount_micros: index, created_at })),
    );
  });
});
