import sharp, { type Sharp } from 'sharp';
import { decoding, openImage } from '@kinora/images';
import type { LoadedImage } from '../gate/engine';
import type { ShownPicture } from './protocol';

/** Models look at far fewer pixels; and at this size no picture is too many bytes for anybody. */
const MAX_SIDE_PX = 1024;
/** Azure takes no picture with a shorter side. A very narrow one is stretched rather than not judged. */
const MIN_SIDE_PX = 50;
const JPEG = { quality: 90 };

/**
 * A picture in a form that every engine accepts. A transparent one is shown in two ways, over white and as a program sees
 * it that takes no notice of transparency: either could hide what the other shows.
 * @throws ImageProblem for what is no whole picture.
 */
export async function shownPictures({ bytes, sha256 }: LoadedImage): Promise<ShownPicture[]> {
  const { hasAlpha } = await decoding(() => openImage(bytes).metadata());
  const overWhite = openUpright(bytes).flatten({ background: '#ffffff' });
  const views = hasAlpha ? [overWhite, await withoutAlpha(bytes)] : [overWhite];
  return Promise.all(views.map(async (view) => ({ jpeg: await toJpeg(view), sha256 })));
}

/** As backends are given it: what is judged on its head is judged worse. */
function openUpright(bytes: Buffer): Sharp {
  return openImage(bytes).autoOrient();
}

/** The colours under the transparency. Shrinking weighs each pixel by its alpha, so alpha must be gone before. */
async function withoutAlpha(bytes: Buffer): Promise<Sharp> {
  const { data, info } = await decoding(() =>
    openUpright(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  );
  return sharp(data, { raw: info });
}

async function toJpeg(view: Sharp): Promise<Buffer> {
  const { data, info } = await decoding(() => view.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }));
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(info.width, info.height));
  const side = (px: number) => Math.max(MIN_SIDE_PX, Math.round(px * scale));
  return sharp(data, { raw: info })
    .resize({ width: side(info.width), height: side(info.height), fit: 'fill' })
    .jpeg(JPEG)
    .toBuffer();
}
