import { fitFrame, fitInto, nearestSize, parseSize } from './size';

describe('the size of an image', () => {
  it.each([
    ['1024x768', { width: 1024, height: 768 }],
    ['4096x64', { width: 4096, height: 64 }],
    ['9x100', null],
    ['10240x100', null],
    ['1024X768', null],
    ['1024x768 ', null],
  ])('reads %j', (text, size) => {
    expect(parseSize(text)).toEqual(size);
  });

  const listed = ['1024x1024', '1344x768', '672x384', '768x1344', '832x1040'];

  it.each([
    ['16:9', '1344x768'],
    ['9:16', '768x1344'],
    ['1:1', '1024x1024'],
    ['4:5', '832x1040'],
    ['2:3', '768x1344'],
  ] as const)(
    'comes for %s from the listed size with the nearest ratio on a log scale, the larger on a tie',
    (ratio, size) => {
      expect(nearestSize(ratio, listed)).toBe(size);
      expect(nearestSize(ratio, [...listed].reverse())).toBe(size);
    },
  );

  const bounds = { min: 256, max: 2048 };

  it.each([
    ['keeps a source within the bounds', { width: 640, height: 400 }, { width: 640, height: 400 }],
    ['rounds each side to a multiple of 8', { width: 701, height: 500 }, { width: 704, height: 504 }],
    ['scales a large source down with its ratio kept', { width: 4096, height: 2048 }, { width: 2048, height: 1024 }],
    ['scales a small source up with its ratio kept', { width: 64, height: 128 }, { width: 256, height: 512 }],
    ['holds both bounds before the ratio', { width: 4096, height: 64 }, { width: 2048, height: 256 }],
  ])('%s', (_, source, size) => {
    expect(fitInto(source, bounds)).toEqual(size);
  });
});

const frameBounds = { max_pixels: 832 * 480, side_multiple: 16 };

describe('the frame of a video', () => {
  it.each([
    ['is the size of the start frame if that fits', [640, 400], [640, 400]],
    ['uses the whole budget', [832, 480], [832, 480]],
    ['keeps the orientation of the start frame', [480, 832], [480, 832]],
    ['is scaled down with its ratio kept', [1664, 960], [832, 480]],
    ['takes the sides with the nearest ratio', [1280, 720], [832, 464]],
    ['rounds both sides down where one would exceed the budget', [4096, 4096], [624, 624]],
    ['keeps the size of the smallest start frame', [64, 64], [64, 64]],
    ['is not enlarged if the ratio does not require it', [100, 100], [96, 96]],
    ['is enlarged if only that keeps the ratio', [100, 75], [128, 96]],
    ['has another area if no rounded size keeps the ratio', [320, 200], [336, 208]],
    ['keeps the most extreme ratio', [4096, 64], [4096, 64]],
  ] as const)('%s', (_, [width, height], [across, down]) => {
    expect(fitFrame({ width, height }, frameBounds)).toEqual({ width: across, height: down });
  });

  it('has sides of the multiple and pixels within the budget, and keeps the ratio within 1 % where any frame does', () => {
    const sides = Array.from({ length: 256 }, (_, index) => 16 * (index + 1));
    const ratios = sides.flatMap((width) =>
      sides.filter((height) => width * height <= frameBounds.max_pixels).map((height) => width / height),
    );
    for (let width = 64; width <= 4_096; width += 61) {
      for (let height = 64; height <= 4_096; height += 67) {
        const frame = fitFrame({ width, height }, frameBounds);
        expect([frame.width % 16, frame.height % 16]).toEqual([0, 0]);
        expect(frame.width * frame.height).toBeLessThanOrEqual(frameBounds.max_pixels);
        const offBy = (ratio: number): number => Math.abs(Math.log((ratio * height) / width));
        if (offBy(frame.width / frame.height) <= Math.log(1.01)) continue;
        expect(offBy(frame.width / frame.height)).toBe(Math.min(...ratios.map(offBy)));
      }
    }
  });
});
