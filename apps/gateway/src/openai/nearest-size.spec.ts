import { nearestSize } from './nearest-size';

const LISTED = ['1024x1024', '1216x832', '832x1216', '1344x768', '512x512'];

describe('nearest size', () => {
  it.each([
    ['a listed size as it is', '512x512', '512x512'],
    ['the nearest ratio before the nearest area', '1536x1024', '1216x832'],
    ['the same ratio turned', '1024x1536', '832x1216'],
    ['of equal ratios the nearest area', '900x900', '1024x1024'],
    ['of equal ratios the nearest area, below', '600x600', '512x512'],
    ['a very wide one', '99999x1', '1344x768'],
    ['a text that is no size as it is', 'large', 'large'],
    ['a size without area as it is', '0x512', '0x512'],
  ])('is %s', (_, wanted, nearest) => {
    expect(nearestSize(wanted, LISTED)).toBe(nearest);
  });

  it('is the wanted one for a model without sizes', () => {
    expect(nearestSize('900x900', [])).toBe('900x900');
  });
});
