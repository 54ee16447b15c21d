import sharp from 'sharp';
import { decodeImage } from './decode-image';

const WHITE = { r: 255, g: 255, b: 255 };
const HIDDEN = { r: 200, g: 20, b: 20, alpha: 0 };

async function shown(bytes: Buffer) {
  const views = await decodeImage({ bytes }, { withJpeg: true });
  return Promise.all(
    views.map(({ jpeg }) =>
      sharp(jpeg ?? Buffer.alloc(0))
        .raw()
        .toBuffer({ resolveWithObject: true }),
    ),
  );
}

/** The colour of the pixel in the middle of the first row. */
function topOf({ data, info }: { data: Buffer; info: { width: number; channels: number } }): number[] {
  const at = Math.floor(info.width / 2) * info.channels;
  return [...data.subarray(at, at + 3)];
}

describe('images as engines receive them', () => {
  it('are upright, like the images sent to backends, whatever the EXIF orientation', async () => {
    const sheet = sharp({ create: { width: 120, height: 60, channels: 3, background: '#1428c8' } });
    const band = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#c81414' } })
      .png()
      .toBuffer();
    const lying = await sheet
      .composite([{ input: band, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

    const [view] = await shown(lying);

    expect(view?.info).toMatchObject({ width: 60, height: 120 });
    const [red = 0, , blue = 255] = view ? topOf(view) : [];
    expect([red > 150, blue < 80]).toEqual([true, true]);
  });

  it('are decoded over white and without transparency, since either view can hide content', async () => {
    const hidden = await sharp({ create: { width: 64, height: 64, channels: 4, background: HIDDEN } })
      .png()
      .toBuffer();

    const [overWhite, bare] = (await shown(hidden)).map(topOf);

    expect(overWhite).toEqual(Object.values(WHITE));
    expect(bare?.[0]).toBeGreaterThan(150);
    expect(bare?.[1]).toBeLessThan(80);
  });
});
