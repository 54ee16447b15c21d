import { fitFrame } from './frame-size';

const bounds = { max_pixels: 832 * 480, side_multiple: 16 };

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
    expect(fitFrame({ width, height }, bounds)).toEqual({ width: across, height: down });
  });

  it('has sides of the multiple and pixels within the budget, and keeps the ratio within 1 % where any frame does', () => {
    const sides = Array.from({ length: 256 }, (_, index) => 16 * (index + 1));
    const ratios = sides.flatMap((width) =>
      sides.filter((height) => width * height <= bounds.max_pixels).map((height) => width / height),
    );
    for (let width = 64; width <= 4_096; width += 61) {
      for (let height = 64; height <= 4_096; height += 67) {
        const frame = fitFrame({ width, height }, bounds);
        expect([frame.width % 16, frame.height % 16]).toEqual([0, 0]);
        expect(frame.width * frame.height).toBeLessThanOrEqual(bounds.max_pixels);
        const offBy = (ratio: number): number => Math.abs(Math.log((ratio * height) / width));
        if (offBy(frame.width / frame.height) <= Math.log(1.01)) continue;
        expect(offBy(frame.width / frame.height)).toBe(Math.min(...ratios.map(offBy)));
      }
    }
  });
});
