import { slotsOf } from './instance-slots';

describe('places of an instance', () => {
  it.each([
    ['its concurrency plus one', 5_000, { concurrency: 3, interleaves: false }, { common: 4, newcomers: 0 }],
    ['no more than the operator allows', 2, { concurrency: 3, interleaves: true }, { common: 2, newcomers: 0 }],
    [
      'one for newcomers where tasks are time-sliced',
      5_000,
      { concurrency: 1, interleaves: true },
      { common: 2, newcomers: 1 },
    ],
    [
      'fewer for newcomers where the bound is near',
      5,
      { concurrency: 3, interleaves: true },
      { common: 4, newcomers: 1 },
    ],
    ['all that the operator allows where the server reports no capacity', 5_000, null, { common: 5_000, newcomers: 0 }],
    ['few while the server has not answered', 5_000, undefined, { common: 2, newcomers: 0 }],
  ])('are %s', (_, bound, capacity, slots) => {
    expect(slotsOf(bound, capacity)).toEqual(slots);
  });
});
