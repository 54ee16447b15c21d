import { cutOffAfterMs } from './sender-pace';

const PACE = { graceMs: 5_000, minBytesPerSecond: 16_384, maxMs: 60_000 };

describe('the pace of a sender', () => {
  it.each([
    ['nothing', 0, 5_000],
    ['one second of the least rate', 16_384, 6_000],
    ['ten seconds of it at once', 163_840, 15_000],
    ['more than the whole time allows', 43_000_000, 60_000],
  ])('lets a body of which %s has arrived go on so long', (_name, bytes, ms) => {
    expect(cutOffAfterMs(bytes, PACE)).toBe(ms);
  });

  it('has no least rate where it is 0', () => {
    expect(cutOffAfterMs(0, { ...PACE, minBytesPerSecond: 0 })).toBe(60_000);
  });
});
