import { fitInto, nearestSize, parseSize } from './image-size';

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
