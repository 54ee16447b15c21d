import fc from 'fast-check';
import { parseUsd, toUsd } from './money';

describe('money', () => {
  it('reads every amount exactly, with all six decimals', () => {
    const micros = fc.integer({ min: 0, max: 999_999_999_999_999 });
    fc.assert(
      fc.property(micros, (amount) => {
        const fraction = String(amount % 1_000_000).padStart(6, '0');
        expect(parseUsd(`${Math.floor(amount / 1_000_000)}.${fraction}`)).toBe(amount);
      }),
    );
  });

  it.each([
    ['10', 10_000_000],
    ['0.25', 250_000],
    ['0', 0],
    ['1.000001', 1_000_001],
  ])('reads %s', (text, micros) => {
    expect(parseUsd(text)).toBe(micros);
  });

  it.each(['', ' 1', '-1', '+1', '.5', '1.', '1.0000001', '1e3', '1,5', '$1', 'Infinity', '1234567890'])(
    'refuses %j instead of guessing',
    (text) => {
      expect(parseUsd(text)).toBeNull();
    },
  );

  it('formats micros as dollars', () => {
    expect([toUsd(20_000), toUsd(1), toUsd(0)]).toEqual([0.02, 0.000001, 0]);
  });
});
