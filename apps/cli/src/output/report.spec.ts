import { formatName, formatValue } from './report';

describe('a field on the screen', () => {
  it.each([
    ['balance_micros', 0, '0.00 USD'],
    ['balance_micros', 20_000, '0.02 USD'],
    ['balance_micros', 1_500_000, '1.50 USD'],
    ['balance_micros', -2_500_000, '-2.50 USD'],
    // No digit is dropped: a rounded balance cannot be compared with a statement.
    ['balance_micros', 1, '0.000001 USD'],
    ['balance_micros', 1_234_567, '1.234567 USD'],
    ['balance_micros', 10_000_100, '10.0001 USD'],
    ['balance_micros', null, '-'],
    ['name', undefined, '-'],
    ['name', 'Ada', 'Ada'],
    ['in_flight_jobs', 3, '3'],
  ])('%s of %j is %s', (field, value, shown) => {
    expect(formatValue(field, value)).toBe(shown);
  });

  it('has a name without its unit', () => {
    expect(['balance_micros', 'rate_limit_rpm'].map(formatName)).toEqual(['balance', 'rate limit rpm']);
  });
});
