import { type RgbImage, blendImages, toSharp } from '../../raster/rgb-image';
import { edit, type EditContext, type EditOperation } from '../edit-operation';
import { fitImage, layOver, plainImage } from '../fit-image';

/** Edits that join several images into one. With a single reference each of them leaves the image unchanged. */
export const JOIN_OPERATIONS: readonly EditOperation[] = [
  edit(
    'side by side',
    /\b(?:side[ -]by[ -]side|collage|montage|grid|next to each other|beside each other|diptych|triptych|in a row|before and after|split screen)\b/g,
    (image, context) => sideBySide(imagesOf(image, context), context),
  ),
  edit(
    'blend',
    /\b(?:blend(?:ed)?|combined?|merged?|mix(?:ed)?|overlaid|overlay|double exposure|superimposed?)\b/g,
    (image, context) => blended(imagesOf(image, context), context),
  ),
];

export async function sideBySide(
  images: readonly RgbImage[],
  { width, height }: Pick<EditContext, 'width' | 'height'>,
): Promise<RgbImage> {
  if (images.length < 2) return images[0]!;
  const upright = height > width;
  let joined = await plainImage(width, height, '#ffffff');
  for (const [i, image] of images.entries()) {
    const from = Math.round(((upright ? height : width) * i) / images.length);
    const to = Math.round(((upright ? height : width) * (i + 1)) / images.length);
    const cell = await fitImage(image, upright ? width : to - from, upright ? to - from : height);
    joined = await layOver(joined, await toSharp(cell).png().toBuffer(), upright ? 0 : from, upright ? from : 0);
  }
  return joined;
}

/** The first image with the edits so far; the others in their original state. */
function imagesOf(image: RgbImage, { references }: EditContext): RgbImage[] {
  return [image, ...references.slice(1)];
}

async function blended(images: readonly RgbImage[], { width, height }: EditContext): Promise<RgbImage> {
  const [first, ...others] = images;
  if (others.length === 0) return first!;
  let blend = await coverImage(first!, width, height);
  for (const [i, other] of others.entries())
    blend = blendImages(blend, await coverImage(other, width, height), 1 / (i + 2));
  return blend;
}

/** Each reference fills the whole area here: the blend of two framed images would show the edges of the frames. */
function coverImage(image: RgbImage, width: number, height: number): Promise<RgbImage> {
  return fitImage(image, width, height, 'cover');
}
