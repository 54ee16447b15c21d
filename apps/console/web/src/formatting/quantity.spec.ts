import { axisEnd, formatBytes, formatQuantity } from './quantity';

describe('a quantity', () => {
  it('has a unit that fits its size', () => {
    expect([512, 1536, 5_242_880].map(formatBytes)).toEqual(['512 B', '1.5 KiB', '5.0 MiB']);
  });

  it('has the plural of its unit', () => {
    expect([formatQuantity(1, 'image'), formatQuantity(1_200, 'second')]).toEqual(['1 image', '1,200 seconds']);
  });

  it.each([
    [0, 1],
    [0.14, 0.2],
    [180_000, 200_000],
    [230, 250],
    [999, 1_000],
  ])('fits below the end of its axis: %p', (greatest, end) => {
    expect(axisEnd(greatest)).toBeCloseTo(end, 10);
  });
});
