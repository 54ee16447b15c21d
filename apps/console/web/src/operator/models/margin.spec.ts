import { formatMargin, marginOf } from './margin';

describe('the margin of a model', () => {
  const of = (...costs: (number | undefined)[]) =>
    costs.map((cost_micros) => (cost_micros === undefined ? {} : { cost_micros }));

  it.each([
    [20_000, of(5_000), '75 %'],
    [20_000, of(21_000, 12_000), '−5 to 40 %'],
    [20_000, of(0), '100 %'],
  ])('of the price %d and the routes %j is %s', (price, routes, expected) => {
    const margin = marginOf(price, routes);
    expect(margin && formatMargin(margin)).toBe(expected);
  });

  it.each([
    [20_000, of(undefined)],
    [20_000, of(5_000, undefined)],
    [0, of(5_000)],
    [null, of(5_000)],
    [20_000, of()],
  ])('of the price %d and the routes %j is unknown', (price, routes) => {
    expect(marginOf(price, routes)).toBeNull();
  });
});
