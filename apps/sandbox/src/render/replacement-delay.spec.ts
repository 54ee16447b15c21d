import { replacementDelayMs } from './replacement-delay';

describe('replacement delay', () => {
  it('doubles with each death up to some seconds, however many there are', () => {
    expect([1, 2, 3, 6, 7, 5_000].map(replacementDelayMs)).toEqual([100, 200, 400, 3200, 5000, 5000]);
  });
});
