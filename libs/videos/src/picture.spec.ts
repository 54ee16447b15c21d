import { cropped, i420Bytes, toRgb } from './picture';

describe('picture', () => {
  it('becomes RGB without blocking the event loop', async () => {
    const [width, height] = [1_024, 1_024];
    let ticks = 0;
    const count = (): void => {
      ticks += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    const rgb = await toRgb({ width, height, planes: new Uint8Array(i420Bytes(width, height)).fill(128) });
    clearImmediate(turn);
    expect([rgb[0], rgb.at(-1)]).toEqual([130, 130]);
    expect(ticks).toBeGreaterThan(10);
  });

  it('is refused if it is smaller than its parameters declare', () => {
    const picture = { width: 16, height: 16, planes: new Uint8Array(i420Bytes(16, 16)) };
    expect(() => cropped(picture, { width: 16, height: 14, left: 2, top: 0 })).toThrow(RangeError);
    expect(() => cropped(picture, { width: 16, height: 16, left: 0, top: 2 })).toThrow(RangeError);
    expect(cropped(picture, { width: 14, height: 14, left: 2, top: 2 })).toMatchObject({ width: 14, height: 14 });
  });
});
