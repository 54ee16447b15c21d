import { cutOffAfterMs } from './sender-pace';

const PACE = { graceMs: 5_000, minBytesPerSecond: 16_384, maxMs: 60_000 };

describe('the pace of a sender', () => {
  it.each([
    ['nothing', 0, 5_000],
    ['one second at the minimum rate', 16_384, 6_000],
    ['ten seconds at that rate in one chunk', 163_840, 15_000],
    ['more than the time limit allows', 43_000_000, 60_000],
  ])('sets the time limit of a body of which %s has arrived', (_name, bytes, ms) => {
    expect(cutOffAfterMs(bytes, PACE)).toBe(ms);
  });

  it('has no minimum rate if it is 0', () => {
    expect(cutOffAfterMs(0, { ...PACE, minBytesPerSecond: 0 })).toBe(60_000);
  });
});
