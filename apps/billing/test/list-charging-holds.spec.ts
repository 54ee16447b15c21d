import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { FindHolds, ListChargingHolds } from '../src/use-cases/find-holds.query';

const billing = useBilling();

describe('holds that the jobs service compares with its jobs', () => {
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
    const { holds } = await billing.get(ListChargingHolds).execute({ open_for_seconds, after_job_id, limit });
    return holds.map(({ job_id }) => job_id);
  };

  it('are listed if they are captured or open for long enough', async () => {
    expect(await list(0)).toEqual([open, captured]);
    expect(await list(60)).toEqual([captured]);
    expect(await list(0, null, 1)).toEqual([open]);
    expect(await list(0, open)).toEqual([captured]);
  });

  it('are found in every state except barred', async () => {
    const { holds } = await billing.get(FindHolds).execute({ job_ids: [open, captured, refunded, barred, uuidv7()] });
    const found = holds.map(({ job_id, state }) => [job_id, state]);
    expect(found.sort()).toEqual([
      [open, 'held'],
      [captured, 'captured'],
      [refunded, 'refunded'],
    ]);
    expect(holds[0]).toMatchObject({ account_id, amount_micros: 5 });
  });
});
