import { measureTiming } from './timing';

describe('the timing of a video', () => {
  it('gives the last picture the average duration of the others', () => {
    const { durationSeconds, fps, shownAt } = measureTiming([0, 0.25, 0.5, 0.75], 0);
    expect({ durationSeconds, fps }).toEqual({ durationSeconds: 1, fps: 4 });
    expect(shownAt.at(-1)).toEqual({ timestampSeconds: 0.75, durationSeconds: 0.25 });
  });

  it('begins with the first picture, in any order in the file', () => {
    const { durationSeconds, shownAt } = measureTiming([2.5, 2, 3], 0);
    expect(durationSeconds).toBe(1.5);
    expect(shownAt.map(({ timestampSeconds }) => timestampSeconds)).toEqual([0.5, 0, 1]);
  });

  it('uses the duration in the container for a single picture', () => {
    expect(measureTiming([7], 0.5)).toMatchObject({ durationSeconds: 0.5, fps: 2 });
  });

  it.each([
    ['no duration at all', [7], 0, 'damaged'],
    ['two pictures at one moment', [0, 0.5, 0.5, 1], 0, 'damaged'],
    ['one picture that stands for seconds', [0, 0.25, 0.5, 3], 0, 'unsupported'],
    ['more than its longest time', [0, 3_600], 0, 'too_long'],
  ])('is refused with %s', (_, timestamps, first, reason) => {
    expect(() => measureTiming(timestamps, first)).toThrow(expect.objectContaining({ reason }));
  });
});
