import { type RgbImage, fromSharp, toSharp } from '../../raster/rgb-image';
import { COLOUR_PATTERN, edit, type EditContext, type EditOperation, hexOf } from '../edit-operation';
import { backdropOf, fitImage, layOver } from '../fit-image';

const NUMBER_WORDS: Readonly<Record<string, number>> = { ninety: 90, 'forty-five': 45, 'one hundred eighty': 180 };

const OBJECT = '(?: (?:it|this|the \\w+))?';
const AMOUNT = ` (?:by |around |about )?(?:-?\\d+(?:\\.\\d+)?|${Object.keys(NUMBER_WORDS).join('|')})(?:°| ?degrees?\\b| ?deg\\b)?`;
const DIRECTION =
  ' (?:to the |in the |by the )?(?:left|right|clockwise|counter-?clockwise|anti-?clockwise|upside down)\\b';

/** Edits that turn, crop and frame an image. */
export const SHAPE_OPERATIONS: readonly EditOperation[] = [
  edit(
    'rotate',
    new RegExp(
      `\\brotated?${OBJECT}(?:${AMOUNT})?(?:${DIRECTION})?|\\b(?:turn(?:ed)?|spin|tilt(?:ed)?)${OBJECT}(?:${AMOUNT}(?:${DIRECTION})?|${DIRECTION})|\\bupside down\\b`,
      'g',
    ),
    (image, { match }) => rotated(image, angleOf(match[0])),
  ),
  edit(
    'flip vertically',
    /\b(?:flip(?:ped)?|mirror(?:ed)?)(?: (?:it|this|the \w+))? (?:vertical(?:ly)?|upside down|top to bottom)\b|\bvertical (?:flip|mirror)\b/g,
    (image) => fromSharp(toSharp(image).flip()),
  ),
  edit(
    'mirror',
    /\b(?:flip(?:ped)?|mirror(?:ed)?)(?: (?:it|this|the \w+))?(?: horizontal(?:ly)?| left to right)?\b|\bhorizontal (?:flip|mirror)\b/g,
    (image) => fromSharp(toSharp(image).flop()),
  ),
  edit(
    'crop',
    /\b(?:crop(?:ped)?(?: (?:it|this|the \w+))?(?: (?:to|into))?(?: (?:a|the))?(?: (?:square|cent(?:er|re)))?|make (?:it|this|the \w+)(?: a)? square|square(?:d)? (?:crop|format)|zoom(?:ed)? in)\b/g,
    (image, { match }) => cropped(image, match[0].includes('square')),
  ),
  edit(
    'border',
    new RegExp(
      `\\b(?:(?:thin|thick|wide|simple) )?(?:(${COLOUR_PATTERN}) )?(?:borders?|frames?|framed|passe-?partout|mat)\\b(?: (?:in|of) (${COLOUR_PATTERN})\\b)?`,
      'g',
    ),
    (image, context) => bordered(image, context),
  ),
];

function angleOf(words: string): number {
  if (words.includes('upside down')) return 180;
  const spelt = Object.keys(NUMBER_WORDS).find((word) => words.includes(word));
  const degrees = spelt === undefined ? Number(/-?\d+(?:\.\d+)?/.exec(words)?.[0] ?? 90) : NUMBER_WORDS[spelt]!;
  return /left|counter|anti/.test(words) ? -degrees : degrees;
}

async function rotated(image: RgbImage, degrees: number): Promise<RgbImage> {
  if (degrees % 90 === 0) return fromSharp(toSharp(image).rotate(((degrees % 360) + 360) % 360));
  const turned = await toSharp(image)
    .ensureAlpha()
    .rotate(degrees, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
    .png()
    .toBuffer({ resolveWithObject: true });
  // The corners that become visible show the image itself, out of focus.
  return layOver(await backdropOf(image, turned.info.width, turned.info.height), turned.data, 0, 0);
}

/** The middle square, or a closer view. */
function cropped(image: RgbImage, square: boolean): Promise<RgbImage> {
  const side = Math.min(image.width, image.height);
  const [width, height] = [image.width, image.height].map((full) =>
    square ? side : Math.max(1, Math.round(full * 0.7)),
  );
  const area = { width: width!, height: height! };
  const left = Math.floor((image.width - area.width) / 2);
  const top = Math.floor((image.height - area.height) / 2);
  return fromSharp(toSharp(image).extract({ ...area, left, top }));
}

/** The frame lies along the edge of the result, so the image is scaled to the area inside it. */
async function bordered(image: RgbImage, { match, width, height }: EditContext): Promise<RgbImage> {
  const [words] = match;
  const background = hexOf(match[1] ?? match[2]) ?? '#ffffff';
  const share = words.startsWith('thin') ? 0.02 : /^(?:thick|wide)/.test(words) ? 0.1 : 0.05;
  const edge = Math.max(1, Math.round(Math.min(width, height) * share));
  const inner = await fitImage(image, width - 2 * edge, height - 2 * edge);
  return fromSharp(toSharp(inner).extend({ top: edge, bottom: edge, left: edge, right: edge, background }));
}
