import type { KnownHold } from '@kinora/contracts/billing/billing.rpc';
import { type PricedJob, compareWithHold } from './hold-audit.repository';

const job: PricedJob = { id: 'job-1', account_id: 'acc-1', status: 'succeeded', price_micros: 20 };
const hold: KnownHold = { job_id: 'job-1', account_id: 'acc-1', state: 'captured', amount_micros: 20 };

describe('the comparison of a job with its hold', () => {
  it.each([
    ['queued', 'held'],
    ['processing', 'held'],
    ['succeeded', 'captured'],
    ['failed', 'refunded'],
    ['canceled', 'refunded'],
  ] as const)('accepts for a %s job only a hold that is %s', (status, agreed) => {
    const states = ['held', 'captured', 'refunded'] as const;
    const agreeing = states.filter((state) => compareWithHold({ ...job, status }, { ...hold, state }) === null);
    expect(agreeing).toEqual([agreed]);
  });

  it.each([
    ['job_has_its_hold', job, undefined, 'job job-1 is succeeded, but has no hold'],
    ['hold_has_its_job', undefined, hold, '20 micros are captured for job job-1, which does not exist'],
    ['hold_is_of_its_account', job, { ...hold, account_id: 'acc-2' }, 'job job-1 has a hold of account acc-2'],
    ['hold_ends_as_its_job', { ...job, status: 'failed' }, hold, 'job job-1 is failed, but its hold is captured'],
    [
      'price_is_what_is_held',
      job,
      { ...hold, amount_micros: 21 },
      'job job-1 costs 20 micros, but its hold is over 21',
    ],
  ] as const)('reports a break of the rule %s', (rule, someJob, someHold, detail) => {
    expect(compareWithHold(someJob, someHold)).toEqual({ rule, account_id: 'acc-1', detail });
  });

  it('accepts a refunded hold without a job, which a refusal after the reservation leaves', () => {
    expect(compareWithHold(undefined, { ...hold, state: 'refunded' })).toBeNull();
  });
});
