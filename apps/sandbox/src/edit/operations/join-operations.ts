import { type Picture, blendPictures, toSharp } from '../../raster/picture';
import { type EditContext, type EditOperation } from '../edit-operation';
import { fitPicture, layOver, plainPicture } from '../fit-picture';

/** Edits that join several images into one. With a single reference each of them leaves the image unchanged. */
export const JOIN_OPERATIONS: readonly EditOperation[] = [
  {
    name: 'side by side',
    pattern:
      /\b(?:side[ -]by[ -]side|next to each other|beside each other|diptych|triptych|in a row|before and after|split screen)\b/g,
    apply: (picture, _match, context) => sideBySide(picturesOf(picture, context), context),
  },
  {
    name: 'collage',
    pattern: /\b(?:collage|montage|grid|contact sheet|photo ?board|mood ?board)\b/g,
    apply: (picture, _match, context) => collage(picturesOf(picture, context), context),
  },
  {
    name: 'blend',
    pattern: /\b(?:blend(?:ed)?|combined?|merged?|mix(?:ed)?|overlaid|overlay|double exposure|superimposed?)\b/g,
    apply: (picture, _match, context) => blended(picturesOf(picture, context), context),
  },
];

export async function sideBySide(
  pictures: readonly Picture[],
  { width, height }: Pick<EditContext, 'width' | 'height'>,
): Promise<Picture> {
  if (pictures.length < 2) return pictures[0]!;
  const upright = height > width;
  let joined = plainPicture(width, height, '#ffffff');
  for (const [i, picture] of pictures.entries()) {
    const from = Math.round(((upright ? height : width) * i) / pictures.length);
    const to = Math.round(((upright ? height : width) * (i + 1)) / pictures.length);
    const cell = await fitPicture(picture, upright ? width : to - from, upright ? to - from : height);
    joined = await layOver(joined, await toSharp(cell).png().toBuffer(), upright ? 0 : from, upright ? from : 0);
  }
  return joined;
}

/** The first image with the edits so far; the others in their original state. */
function picturesOf(picture: Picture, { references }: EditContext): Picture[] {
  return [picture, ...references.slice(1)];
}

async function blended(pictures: readonly Picture[], { width, height }: EditContext): Promise<Picture> {
  const [first, ...others] = pictures;
  if (others.length === 0) return first!;
  let blend = await coverPicture(first!, width, height);
  for (const [i, other] of others.entries())
    blend = blendPictures(blend, await coverPicture(other, width, height), 1 / (i + 2));
  return blend;
}

/** Each reference fills the whole area here: the blend of two framed images would show the edges of the frames. */
function coverPicture(picture: Picture, width: number, height: number): Promise<Picture> {
  return fitPicture(picture, width, height, 'cover');
}

/** The first image large, the others beside it, on a white background. */
async function collage(pictures: readonly Picture[], { width, height }: EditContext): Promise<Picture> {
  const [first, ...others] = pictures;
  if (others.length === 0) return first!;
  const gap = Math.max(2, Math.round(Math.min(width, height) * 0.025));
  const upright = height > width;
  const along = upright ? height : width;
  const large = Math.round((along - 3 * gap) * (others.length === 1 ? 0.5 : 0.62));
  const rest = along - 3 * gap - large;
  const across = (upright ? width : height) - 2 * gap;
  const cells: { picture: Picture; at: number; from: number; length: number; depth: number }[] = [
    { picture: first!, at: gap, from: gap, length: large, depth: across },
  ];
  others.forEach((picture, i) => {
    const depth = Math.floor((across - gap * (others.length - 1)) / others.length);
    cells.push({ picture, at: 2 * gap + large, from: gap + i * (depth + gap), length: rest, depth });
  });
  let card = plainPicture(width, height, '#f7f4ee');
  for (const { picture, at, from, length, depth } of cells) {
    const cell = await fitPicture(picture, upright ? depth : length, upright ? length : depth);
    card = await layOver(card, await toSharp(cell).png().toBuffer(), upright ? from : at, upright ? at : from);
  }
  return card;
}
