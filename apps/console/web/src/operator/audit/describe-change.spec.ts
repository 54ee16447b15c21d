import { describeChange } from './describe-change';

describe('the change of an audit entry', () => {
  it.each([
    [null, null, ''],
    [{ status: 'active' }, { status: 'paused' }, 'status: active → paused'],
    [null, { amount_micros: -2_500_000, reference: 'form-1' }, 'amount: −$2.50, reference: form-1'],
    [{ status: 'queued' }, null, 'status: queued'],
    [{ rate_limit_rpm: 60, retention_days: 7 }, { rate_limit_rpm: 90, retention_days: 7 }, 'rate limit rpm: 60 → 90'],
    [null, { capabilities: ['read'], number: 0 }, 'capabilities: ["read"], number: 0'],
  ])('of %j and %j reads %s', (before, after, expected) => {
    expect(describeChange(before, after)).toBe(expected);
  });
});
