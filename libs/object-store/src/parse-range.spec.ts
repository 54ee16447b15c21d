import { parseRange } from './parse-range';

describe('parse range', () => {
  it.each([
    ['bytes=0-99', { start: 0, end: 99 }],
    ['bytes=900-', { start: 900, end: 999 }],
    ['bytes=-100', { start: 900, end: 999 }],
    ['bytes=999-999', { start: 999, end: 999 }],
    ['bytes=500-9999999', { start: 500, end: 999 }],
    ['bytes=-9999999', { start: 0, end: 999 }],
  ])('returns %s of a thousand bytes', (header, range) => {
    expect(parseRange(header, 1000)).toEqual(range);
  });

  it.each([
    undefined,
    '',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=0-1,5-6',
    'seconds=0-1',
    'bytes=0-1 ',
    'bytes=-1-2',
  ])('answers %p with the whole', (header) => {
    expect(parseRange(header, 1000)).toBe('full');
  });

  it.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', 'bytes=99999999999999999999-'])(
    'cannot satisfy %s',
    (header) => {
      expect(parseRange(header, 1000)).toBe('unsatisfiable');
    },
  );

  it('can satisfy no range of an empty object', () => {
    expect([parseRange('bytes=0-', 0), parseRange('bytes=-5', 0)]).toEqual(['unsatisfiable', 'unsatisfiable']);
  });
});
