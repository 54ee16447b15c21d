import { pickFrames } from './pick-frames';
import type { Picture } from './picture';

const WIDTH = 32;

function sheet(luma: number): Picture {
  return { width: WIDTH, height: WIDTH, planes: new Uint8Array((WIDTH * WIDTH * 3) / 2).fill(luma) };
}

async function* sheets(lumas: number[]): AsyncGenerator<Picture> {
  for (const luma of lumas) yield sheet(luma);
}

async function picked(lumas: number[], fps: number, frames = lumas.length): Promise<number[]> {
  const indexes: number[] = [];
  for await (const { index } of pickFrames(sheets(lumas), { frames, fps })) indexes.push(index);
  return indexes;
}

function still(frames: number): number[] {
  return Array.from({ length: frames }, () => 100);
}

describe('pick frames', () => {
  it('picks the first, the last, and four a second between them', async () => {
    expect(await picked(still(22), 16)).toEqual([0, 4, 8, 12, 16, 20, 21]);
    expect(await picked(still(3), 1)).toEqual([0, 1, 2]);
    expect(await picked(still(1), 16)).toEqual([0]);
  });

  it.each([1, 2, 3, 5, 6, 7])('picks what is visible for the single frame %d', async (flash) => {
    expect(await picked(still(9).with(flash, 200), 16)).toContain(flash);
  });

  it('picks a single frame in other colours of the same brightness', async () => {
    async function* pictures(): AsyncGenerator<Picture> {
      for (let index = 0; index < 9; index++) {
        const { planes } = sheet(100);
        planes.fill(index === 2 ? 160 : 128, WIDTH * WIDTH);
        yield { width: WIDTH, height: WIDTH, planes };
      }
    }
    const indexes: number[] = [];
    for await (const { index } of pickFrames(pictures(), { frames: 9, fps: 16 })) indexes.push(index);
    expect(indexes).toContain(2);
  });

  it('picks both sides of a cut', async () => {
    expect(await picked([...still(10), ...still(10).fill(180)], 24)).toEqual([0, 6, 9, 10, 12, 18, 19]);
  });

  it('picks what fades in and out between two regular frames', async () => {
    const fade = Array.from({ length: 61 }, (_, i) => 100 + 4 * (30 - Math.abs(30 - i)));
    const lumas = [...still(64), ...fade, ...still(1_875)];
    expect(await picked(lumas, 30)).toContain(94);
  });

  it('does not count slow changes', async () => {
    const dusk = Array.from({ length: 17 }, (_, i) => 100 - i * 3);
    expect(await picked(dusk, 16)).toEqual([0, 4, 8, 12, 16]);
  });

  it('picks a bounded number from a long video, and from one that flickers without end', async () => {
    const flicker = Array.from({ length: 2_000 }, (_, i) => (i % 2) * 255);
    expect((await picked(still(2_000), 30)).length).toBeLessThanOrEqual(33);
    expect((await picked(flicker, 30)).length).toBeLessThanOrEqual(3 * 33);
  });

  it('cannot judge a video that has fewer or more pictures than it declares', async () => {
    await expect(picked(still(10), 16, 11)).rejects.toMatchObject({ reason: 'cannot_be_judged' });
    await expect(picked(still(10), 16, 9)).rejects.toMatchObject({ reason: 'cannot_be_judged' });
  });
});
