import { assertReadable } from './container-checks';
import { mp4Box } from './mp4.fixtures';

const MOST_SAMPLES = 20_000;

/** An `stts` box with, for each of its entries, the number of samples that it stands for. */
function timeTable(samplesOfEntries: readonly number[]): Buffer {
  const content = Buffer.alloc(8 + samplesOfEntries.length * 8);
  content.writeUInt32BE(samplesOfEntries.length, 4);
  samplesOfEntries.forEach((samples, index) => content.writeUInt32BE(samples, 8 + index * 8));
  return mp4Box('stts', content);
}

const videoWith = (...tables: Buffer[]): Buffer =>
  Buffer.concat([mp4Box('ftyp', Buffer.from('isom')), mp4Box('moov', ...tables)]);
const repeated = (samples: number, entries: number): number[] => Array<number>(entries).fill(samples);

describe('the index of a video', () => {
  it.each([
    ['one entry for all samples', [timeTable([MOST_SAMPLES])]],
    ['an entry for each', [timeTable(repeated(1, MOST_SAMPLES))]],
    ['fewer than the limit', [timeTable([5, 5])]],
  ])('is read with %s', (_, tables) => {
    expect(() => assertReadable(videoWith(...tables))).not.toThrow();
  });

  it.each([
    ['a sample more', [timeTable([MOST_SAMPLES, 1])]],
    ['samples in a second table', [timeTable([MOST_SAMPLES]), timeTable([1])]],
    // The demuxer would still iterate over them.
    ['entries that stand for none', [timeTable(repeated(0, MOST_SAMPLES + 1))]],
  ])('is refused with %s than it may have', (_, tables) => {
    expect(() => assertReadable(videoWith(...tables))).toThrow(expect.objectContaining({ reason: 'too_many_frames' }));
  });
});
