import { replacementDelayMs } from './replacement-delay';

describe('replacement delay', () => {
  it('doubles with each crash up to some seconds, for any number of crashes', () => {
    expect([1, 2, 3, 6, 7, 5_000].map(replacementDelayMs)).toEqual([100, 200, 400, 3200, 5000, 5000]);
  });
});
