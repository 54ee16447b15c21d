import { asGpuMs, asUpstreamId } from './json-answer';

describe('the id of a task at a backend', () => {
  it.each(['b2c8-u1', 'video_gen_1f', '123.4:5'])('may be %s', (id) => expect(asUpstreamId(id)).toBe(id));

  it.each(['', '..', '../jobs', 'a/b', 'a?b', 'a%2fb', 'a b', 'x'.repeat(201), 7, null])('cannot be %j', (id) =>
    expect(asUpstreamId(id)).toBeNull(),
  );
});

describe('the duration of a task at a backend', () => {
  it.each([
    [1.2346, 1_000, 1_235],
    [0, 1, 0],
    [-1, 1, null],
    [1e12, 1, null],
    [Number.NaN, 1, null],
    ['3', 1, null],
  ])('%j times %d is %j ms', (value, unit, expected) => expect(asGpuMs(value, unit)).toBe(expected));
});
