import { stackSpend } from './spend-stacks';

const PERIOD = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' };

describe('the bars of a chart of spend', () => {
  it.each([
    ['a day without jobs', [], [0, 0], [{}, {}]],
    [
      'models in the order of what they cost',
      [
        ['01', 'a', 1],
        ['01', 'b', 2],
        ['02', 'a', 4],
      ],
      [3, 4],
      [
        { a: 1, b: 2 },
        { a: 4, b: 0 },
      ],
    ],
    [
      'all beyond the fourth as one',
      [
        ['01', 'a', 9],
        ['01', 'b', 8],
        ['01', 'c', 7],
        ['01', 'd', 6],
        ['02', 'e', 5],
        ['02', 'f', 4],
      ],
      [30, 9],
      [
        { a: 9, b: 8, c: 7, d: 6, 'other models': 0 },
        { a: 0, b: 0, c: 0, d: 0, 'other models': 9 },
      ],
    ],
  ] as const)('show %s', (_name, spend, values, parts) => {
    const groups = spend.map(([day, model, charged_micros]) => ({ day: `2026-03-${day}`, model, charged_micros }));
    const bars = stackSpend(PERIOD, groups);
    expect(bars.map(({ value }) => value)).toEqual(values);
    expect(bars.map((bar) => Object.fromEntries((bar.parts ?? []).map(({ name, value }) => [name, value])))).toEqual(
      parts,
    );
    expect(bars.map(({ label }) => label)).toEqual(['1 Mar', '2 Mar']);
  });
});
