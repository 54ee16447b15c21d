import { clamp, mix, smoothstep } from '../../raster/curve';
import { createNoise } from '../../raster/noise';
import { fromSharp, mapPixels, measure, type RgbImage, toneOf, toSharp } from '../../raster/rgb-image';
import { STYLES } from '../../styles/styles';
import { edit, type EditContext, type EditOperation } from '../edit-operation';

/** Edits of an image's texture: sharpness, grain, drawing techniques. */
export const TEXTURE_OPERATIONS: readonly EditOperation[] = [
  edit('blur', /\b(?:blur(?:red|ry)?|out of focus|soft focus|defocus(?:ed)?)\b/g, (image, { amount }) =>
    fromSharp(toSharp(image).blur(Math.max(0.5, (measure(image) / 90) * amount))),
  ),
  edit('sharpen', /\b(?:sharp(?:er|en(?:ed)?)?|crisp(?:er)?|more detail(?:ed|s)?)\b/g, (image, { amount }) =>
    fromSharp(toSharp(image).sharpen({ sigma: Math.max(1, measure(image) / 600), m1: 0.6 * amount, m2: 4 * amount })),
  ),
  edit('vignette', /\b(?:vignett(?:e|ed|ing)|dark(?:en(?:ed)?)? (?:the )?(?:edges|corners))\b/g, vignetted),
  edit('pixelate', /\b(?:pixelate[ds]?|pixel art|pixels|mosaic|8-?bit)\b/g, (image, { amount }) =>
    pixelated(image, amount),
  ),
  edit('posterize', /\b(?:posteri[sz]ed?|poster|pop art|flat colou?rs|fewer colou?rs|cartoon)\b/g, posterized),
  edit(
    'sketch',
    /\b(?:sketch(?:ed)?|(?:pencil|charcoal|line) ?(?:drawing|sketch|art)?|drawing|drawn|engraving)\b/g,
    sketched,
  ),
  inStyle('watercolour', /\bwater ?colou?rs?\b/g),
  inStyle('ink-wash', /\b(?:ink(?: wash| painting)?|sumi-?e)\b/g),
  inStyle('halftone', /\b(?:halftone|comic(?: book)?|newspaper|print(?:ed)? dots)\b/g),
  inStyle('duotone', /\b(?:duotone|two colou?rs)\b/g),
];

/** A style that generations apply as a LoRA, requested in words. */
function inStyle(id: string, pattern: RegExp): EditOperation {
  return edit(id, pattern, (image, { random }) => STYLES[id]!(image, random));
}

function vignetted(image: RgbImage, { amount }: EditContext): RgbImage {
  const { width, height } = image;
  return mapPixels(image, (colour, x, y) => {
    const away = Math.hypot((x / width - 0.5) * 2, (y / height - 0.5) * 2) / Math.SQRT2;
    const light = 1 - smoothstep(0.35, 1.05, away) * Math.min(0.95, 0.75 * amount);
    for (let c = 0; c < 3; c++) colour[c] = colour[c]! * light;
  });
}

async function pixelated(image: RgbImage, amount: number): Promise<RgbImage> {
  const block = Math.max(2, Math.round((measure(image) / 56) * amount));
  const small = await fromSharp(
    toSharp(image).resize(Math.ceil(image.width / block), Math.ceil(image.height / block), {
      fit: 'fill',
      kernel: 'linear',
    }),
  );
  return fromSharp(toSharp(small).resize(image.width, image.height, { fit: 'fill', kernel: 'nearest' }));
}

async function posterized(image: RgbImage): Promise<RgbImage> {
  const smooth = await fromSharp(toSharp(image).median(5));
  const levels = 4;
  return mapPixels(smooth, (colour) => {
    for (let c = 0; c < 3; c++) colour[c] = (Math.round((colour[c]! / 255) * (levels - 1)) / (levels - 1)) * 255;
  });
}

/** Graphite on paper: each tone divided by its blurred surroundings leaves the lines, hatching fills the shadows. */
async function sketched(image: RgbImage, { random }: EditContext): Promise<RgbImage> {
  const surroundings = await fromSharp(
    toSharp(image)
      .greyscale()
      .blur(Math.max(1, measure(image) / 110)),
  );
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const unit = measure(image);
  return mapPixels(image, (colour, x, y) => {
    const tone = toneOf(colour) + 1;
    const line = clamp((tone / (surroundings.data[(y * image.width + x) * 3]! + 1)) ** 2.4, 0, 1);
    const stroke = noise(((x + y) / unit) * 150, ((x - y) / unit) * 14);
    const hatch = smoothstep(0.55, 0.1, tone / 256) * smoothstep(-0.15, 0.45, stroke) * 0.55;
    const paper = 1 + noise((x / unit) * 260, (y / unit) * 260) * 0.03;
    colour.fill(clamp(mix(38, 250, line * (1 - hatch)) * paper, 0, 255));
  });
}
