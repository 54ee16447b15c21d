import sharp, { type Sharp } from 'sharp';
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

  it.each([true, false])('show what is hidden in an image that is shrunk (with JPEG: %s)', async (withJpeg) => {
    const hidden = await sharp({ create: { width: 1200, height: 1200, channels: 4, background: HIDDEN } })
      .png()
      .toBuffer();

    const views = await decodeImage({ bytes: hidden }, { withJpeg });

    expect(views.map(({ plane }) => Math.round(plane[0] ?? 0))).toEqual([255, 74]);
  });

  it('show over white the pixels that are visible in a WebP, however they are mixed with invisible ones', async () => {
    // Visible black and invisible grey pixels alternate. A lossy WebP, because the decoder premultiplies lossless ones.
    const side = 512;
    const pixels = Buffer.alloc(side * side * 4);
    for (let at = 0; at < side * side; at++) if ((at + Math.floor(at / side)) % 2 === 0) pixels[at * 4 + 3] = 255;
    for (let at = 0; at < pixels.length; at += 4) if (pixels[at + 3] === 0) pixels.fill(200, at, at + 3);
    const bytes = await sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
      .webp({ quality: 100, exact: true })
      .toBuffer();

    const [overWhite, bare] = await decodeImage({ bytes }, { withJpeg: false });

    const middle = 32 * 64 + 32;
    expect(Math.abs((overWhite?.plane[middle] ?? 0) - 127.5)).toBeLessThan(4);
    expect(Math.abs((bare?.plane[middle] ?? 0) - 100)).toBeLessThan(4);
  });

  it('have one view where an alpha channel makes no pixel transparent, and two where it makes one', async () => {
    const opaque = sharp({ create: { width: 300, height: 300, channels: 4, background: { ...HIDDEN, alpha: 1 } } });
    const hole = { create: { width: 12, height: 12, channels: 4 as const, background: HIDDEN } };
    const pierced = opaque.clone().composite([{ input: hole, left: 100, top: 100, blend: 'source' as const }]);
    const count = async (image: Sharp, withJpeg: boolean): Promise<number> =>
      (await decodeImage({ bytes: await image.png().toBuffer() }, { withJpeg })).length;

    expect([await count(opaque, false), await count(opaque, true)]).toEqual([1, 1]);
    expect([await count(pierced, false), await count(pierced, true)]).toEqual([2, 2]);
  });
});
