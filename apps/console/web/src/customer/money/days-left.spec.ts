import { daysLeft, describeDays } from './days-left';

it.each([
  [700, [9_000, 100, 100, 100, 100, 100, 100, 100], 7, 'about 7 days'],
  [199, [700], 1, 'about 1 day'],
  [99, [700], 0, 'less than a day'],
  [-5, [700], 0, 'less than a day'],
  [1_000_000, [7], 1_000_000, 'more than a year'],
])('a balance of %i lasts, after %j, %s days', (balance, spent, days, text) => {
  const left = daysLeft(
    balance,
    spent.map((value) => ({ value })),
  );
  expect(left).toBe(days);
  expect(describeDays(days)).toBe(`${text} at the rate of the last 7 days`);
});

it('is not known where nothing was spent', () => expect(daysLeft(5, [{ value: 0 }])).toBeNull());
