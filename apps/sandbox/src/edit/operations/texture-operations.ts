import { clamp, mix, smoothstep } from '../../raster/curve';
import { createNoise } from '../../raster/noise';
import { type Picture, fromSharp, toSharp } from '../../raster/picture';
import { type Random } from '../../raster/random';
import { type EditContext, type EditOperation } from '../edit-operation';
import { mapPixels, toneOf } from '../pixels';

/** Edits of an image's texture: sharpness, grain, drawing techniques. */
export const TEXTURE_OPERATIONS: readonly EditOperation[] = [
  {
    name: 'blur',
    pattern: /\b(?:blur(?:red|ry)?|out of focus|soft focus|defocus(?:ed)?)\b/g,
    apply: (picture, _match, { amount }) =>
      fromSharp(toSharp(picture).blur(Math.max(0.5, (measure(picture) / 90) * amount))),
  },
  {
    name: 'sharpen',
    pattern: /\b(?:sharp(?:er|en(?:ed)?)?|crisp(?:er)?|more detail(?:ed|s)?)\b/g,
    apply: (picture, _match, { amount }) =>
      fromSharp(
        toSharp(picture).sharpen({ sigma: Math.max(1, measure(picture) / 600), m1: 0.6 * amount, m2: 4 * amount }),
      ),
  },
  {
    name: 'vignette',
    pattern: /\b(?:vignett(?:e|ed|ing)|dark(?:en(?:ed)?)? (?:the )?(?:edges|corners))\b/g,
    apply: vignetted,
  },
  {
    name: 'pixelate',
    pattern: /\b(?:pixelate[ds]?|pixel art|pixels|mosaic|8-?bit)\b/g,
    apply: (picture, _match, { amount }) => pixelated(picture, amount),
  },
  {
    name: 'posterize',
    pattern: /\b(?:posteri[sz]ed?|poster|pop art|flat colou?rs|fewer colou?rs|cartoon)\b/g,
    apply: posterized,
  },
  {
    name: 'sketch',
    pattern: /\b(?:sketch(?:ed)?|(?:pencil|charcoal|line) ?(?:drawing|sketch|art)?|drawing|drawn|engraving)\b/g,
    apply: sketched,
  },
  {
    name: 'grain',
    pattern: /\b(?:film grain|grain(?:y)?|noisy|analog(?:ue)?)\b/g,
    apply: (picture, _match, { amount, random }) => grainy(picture, amount, random),
  },
];

function measure({ width, height }: Picture): number {
  return Math.sqrt(width * height);
}

function vignetted(picture: Picture, _match: RegExpMatchArray, { amount }: EditContext): Picture {
  const { width, height } = picture;
  return mapPixels(picture, (colour, x, y) => {
    const away = Math.hypot((x / width - 0.5) * 2, (y / height - 0.5) * 2) / Math.SQRT2;
    const light = 1 - smoothstep(0.35, 1.05, away) * Math.min(0.95, 0.75 * amount);
    for (let c = 0; c < 3; c++) colour[c] = colour[c]! * light;
  });
}

async function pixelated(picture: Picture, amount: number): Promise<Picture> {
  const block = Math.max(2, Math.round((measure(picture) / 56) * amount));
  const small = await fromSharp(
    toSharp(picture).resize(Math.ceil(picture.width / block), Math.ceil(picture.height / block), {
      fit: 'fill',
      kernel: 'linear',
    }),
  );
  return fromSharp(toSharp(small).resize(picture.width, picture.height, { fit: 'fill', kernel: 'nearest' }));
}

async function posterized(picture: Picture): Promise<Picture> {
  const smooth = await fromSharp(toSharp(picture).median(5));
  const levels = 4;
  return mapPixels(smooth, (colour) => {
    for (let c = 0; c < 3; c++) colour[c] = (Math.round((colour[c]! / 255) * (levels - 1)) / (levels - 1)) * 255;
  });
}

/** Graphite on paper: each tone divided by its blurred surroundings leaves the lines, hatching fills the shadows. */
async function sketched(picture: Picture, _match: RegExpMatchArray, { random }: EditContext): Promise<Picture> {
  const surroundings = await fromSharp(
    toSharp(picture)
      .greyscale()
      .blur(Math.max(1, measure(picture) / 110)),
  );
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const unit = measure(picture);
  return mapPixels(picture, (colour, x, y) => {
    const tone = toneOf(colour) + 1;
    const line = clamp((tone / (surroundings.data[(y * picture.width + x) * 3]! + 1)) ** 2.4, 0, 1);
    const stroke = noise(((x + y) / unit) * 150, ((x - y) / unit) * 14);
    const hatch = smoothstep(0.55, 0.1, tone / 256) * smoothstep(-0.15, 0.45, stroke) * 0.55;
    const paper = 1 + noise((x / unit) * 260, (y / unit) * 260) * 0.03;
    colour.fill(clamp(mix(38, 250, line * (1 - hatch)) * paper, 0, 255));
  });
}

function grainy(picture: Picture, amount: number, random: Random): Picture {
  return mapPixels(picture, (colour) => {
    const speck = (random() + random() - 1) * 30 * amount;
    for (let c = 0; c < 3; c++) colour[c] = colour[c]! + speck;
  });
}
