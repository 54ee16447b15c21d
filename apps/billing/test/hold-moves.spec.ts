import { v7 as uuidv7 } from 'uuid';
import { useBilling } from './billing.fixtures';
import { holdMoves } from '../src/billing.metrics';
import { Capture, Refund } from '../src/use-cases/end-hold.use-case';

const billing = useBilling();

describe('ended holds', () => {
  it('are counted once each, by kind of end', async () => {
    const settings = { name: 'test', balance_micros: 10_000, max_concurrent_jobs: 10 };
    const { account_id } = await billing.createAccount(settings);
    const jobIds = Array.from({ length: 5 }, () => uuidv7());
    const [capture, refund] = [billing.get(Capture), billing.get(Refund)];
    for (const job_id of jobIds) await billing.reserve({ account_id, job_id, amount_micros: 10 });
    holdMoves.reset();
    for (const job_id of [...jobIds.slice(0, 3), ...jobIds.slice(0, 2)]) await capture.execute({ job_id });
    for (const job_id of [...jobIds.slice(3), ...jobIds]) await refund.execute({ job_id });
    const { values } = await holdMoves.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.kind, value]))).toEqual({
      capture: 3,
      refund: 2,
    });
  });
});
