import { describeChange, targetOf } from './describe-change';

describe('the change of an audit entry', () => {
  it.each([
    [null, null, ''],
    [{ status: 'active' }, { status: 'paused' }, 'status: active → paused'],
    [null, { amount_micros: -2_500_000, reference: 'form-1' }, 'amount: −$2.50, reference: form-1'],
    [{ status: 'queued' }, { account_id: 'a1', job_id: 'j1' }, 'status: queued'],
    [{ rate_limit_rpm: 60, retention_days: 7 }, { rate_limit_rpm: 90, retention_days: 7 }, 'rate limit rpm: 60 → 90'],
    [null, { capabilities: ['read'], number: 0 }, 'capabilities: ["read"], number: 0'],
  ])('of %j and %j reads %s', (before, after, expected) => {
    expect(describeChange(before, after)).toBe(expected);
  });
});

describe('the target of an audit entry', () => {
  it.each([
    [
      { action: 'set_status', target: 'a1', account_id: 'a1' },
      { account: 'a1', job: null, name: null },
    ],
    [
      { action: 'cancel_job', target: 'j1', account_id: 'a1' },
      { account: 'a1', job: 'j1', name: null },
    ],
    [
      { action: 'lift_strike', target: 's1', after: { account_id: 'a1', job_id: 'j1' } },
      { account: 'a1', job: 'j1', name: null },
    ],
    [
      { action: 'revoke_key', target: 'k1', account_id: 'a1', after: { name: 'shop' } },
      { account: 'a1', job: null, name: 'shop' },
    ],
    [
      { action: 'switch_model', target: 'fast-image' },
      { account: null, job: null, name: 'fast-image' },
    ],
    [
      { action: 'verify_ledger', target: null },
      { account: null, job: null, name: null },
    ],
  ])('of %j is %j', (entry, expected) => {
    expect(targetOf({ account_id: null, after: null, ...entry })).toEqual(expected);
  });
});
