import { formatMoney, parseDollars } from './money';

describe('an amount of money', () => {
  it.each([
    [0, '$0.00'],
    [20_000, '$0.02'],
    [5_000, '$0.005'],
    [1, '$0.000001'],
    [1_234_567_890, '$1,234.56789'],
    [9_007_199_254_740_991, '$9,007,199,254.740991'],
    [-2_500_000, '−$2.50'],
  ])('is exact: %i micro-USD', (micros, text) => {
    expect(formatMoney(micros)).toBe(text);
  });

  it('has a sign where it is a change', () => {
    expect([100_000_000, 0, -20_000].map((micros) => formatMoney(micros, { sign: true }))).toEqual([
      '+$100.00',
      '$0.00',
      '−$0.02',
    ]);
  });

  it.each([
    ['25', 25_000_000],
    ['2.50', 2_500_000],
    ['$1,000.000001', 1_000_000_001],
    ['999,999,999', 999_999_999_000_000],
    ['2,50', null],
    ['1,00', null],
    ['1000,000', null],
    ['2.1234567', null],
    ['', null],
    ['-1', null],
    ['1e3', null],
  ])('is read as typed: %p', (text, micros) => {
    expect(parseDollars(text)).toBe(micros);
  });
});
