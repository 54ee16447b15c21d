import { mix } from '../../raster/curve';
import { gradePixels, moodGrade, tintTowards } from '../../paint/grade';
import { fromHex } from '../../raster/colour';
import { mapPixels, toneOf } from '../../raster/rgb-image';
import { COLOUR_PATTERN, edit, type EditOperation, hexOf } from '../edit-operation';

/** Edits that change only the light and the colours of an image. */
export const TONE_OPERATIONS: readonly EditOperation[] = [
  edit(
    'grayscale',
    /\b(?:black[ -]and[ -]white|black ?& ?white|b ?& ?w|gr[ae]y ?scale|monochrome|colou?rless|remove (?:all )?(?:the )?colou?rs?)\b/g,
    (image) => mapPixels(image, (colour) => colour.fill(toneOf(colour))),
  ),
  edit('sepia', /\b(?:sepia|old photo(?:graph)?|vintage photo(?:graph)?|antique)\b/g, (image) =>
    mapPixels(image, (colour) => {
      const tone = toneOf(colour);
      colour.set([tone * 1.07 + 14, tone * 0.88 + 10, tone * 0.66 + 6]);
    }),
  ),
  edit(
    'invert',
    /\b(?:invert(?:ed)?(?: the)?(?: colou?rs)?|photo(?:graphic)? negative|negative image|as a negative)\b/g,
    (image) =>
      mapPixels(image, (colour) => {
        for (let c = 0; c < 3; c++) colour[c] = 255 - colour[c]!;
      }),
  ),
  edit(
    'brighten',
    /\b(?:bright(?:er|en(?:ed)?)|light(?:er|en(?:ed)?)|(?:more|increase(?: the)?|raise(?: the)?) (?:light|brightness|exposure))\b/g,
    (image, { amount }) => gradePixels(image, ([l, a, b]) => [l + (1 - l) * 0.32 * amount, a, b]),
  ),
  edit(
    'darken',
    /\b(?:dark(?:er|en(?:ed)?)|(?:less|decrease(?: the)?|lower(?: the)?|reduce(?: the)?) (?:light|brightness|exposure))\b/g,
    (image, { amount }) => gradePixels(image, ([l, a, b]) => [l * (1 - 0.3 * amount), a, b]),
  ),
  edit(
    'less contrast',
    /\b(?:less|lower|reduced?|decreased?|soft(?:er)?)(?: the)? contrast\b|\b(?:flatten|matte)\b/g,
    (image, { amount }) => gradePixels(image, ([l, a, b]) => [mix(l, 0.55, 0.38 * amount), a, b]),
  ),
  edit('more contrast', /\bcontrast(?:y|ier)?\b|\bdramatic\b|\bpunchy\b/g, (image, { amount }) =>
    gradePixels(image, ([l, a, b]) => [0.52 + (l - 0.52) * (1 + 0.45 * amount), a, b]),
  ),
  edit(
    'desaturate',
    /\b(?:desaturated?|less (?:colou?rful|saturated|saturation|colou?r|vivid)|(?:reduce|decrease|lower)(?: the)? saturation|muted?|faded?|washed out|pale(?:r)?)\b/g,
    (image, { amount }) => gradePixels(image, ([l, a, b]) => [l, a * (1 - 0.55 * amount), b * (1 - 0.55 * amount)]),
  ),
  edit(
    'saturate',
    /\b(?:saturated?|(?:more|increase(?: the)?|boost(?: the)?) (?:colou?rs?|saturation|vibrance)|colou?rful|vivid|vibrant)\b/g,
    (image, { amount }) => gradePixels(image, ([l, a, b]) => [l, a * (1 + 0.6 * amount), b * (1 + 0.6 * amount)]),
  ),
  edit('warm', /\b(?:warm(?:er|th)?|cosy|cozy)\b/g, (image, { amount }) =>
    gradePixels(image, moodGrade('warm', 1.5 * amount)),
  ),
  edit('cool', /\b(?:cool(?:er)?|cold(?:er)?|chilly)\b/g, (image, { amount }) =>
    gradePixels(image, moodGrade('cool', 1.5 * amount)),
  ),
  edit(
    'tint',
    new RegExp(
      `\\b(?:tint(?:ed)?|colou?ri[sz]ed?|tone[sd]?|make|turn|paint|dye)(?: (?:it|everything|this|the \\w+))?(?: (?:all|more|completely|in|with|to|into|a|an))* (${COLOUR_PATTERN})\\b(?! and white)|\\b(${COLOUR_PATTERN}) (?:tint|tone|filter|hue|wash|cast)\\b`,
      'g',
    ),
    (image, { match, amount }) => {
      const hex = hexOf(match[1] ?? match[2]);
      return hex === undefined ? image : gradePixels(image, tintTowards([fromHex(hex)], Math.min(1, 0.75 * amount)));
    },
  ),
];
