import { fromHex } from '../../raster/colour';
import { mix, smoothstep } from '../../raster/curve';
import { createGradient, gradientOffset } from '../../raster/gradient';
import { createNoise } from '../../raster/noise';
import { type RgbImage, toneOf, toRgbImage, toRaster } from '../../raster/rgb-image';
import { between, type Random } from '../../raster/random';
import { type Raster } from '../../raster/raster';
import { type Grade, gradePixels, moodGrade } from '../../paint/grade';
import { addHalo, blendDisc } from '../../raster/around';
import { layFall, layFog, RAIN, SNOW } from '../../paint/weather';
import { edit, type EditOperation } from '../edit-operation';

const MIST = fromHex('#cdd5dc');
const MOONLIGHT = fromHex('#e6ecff');
const DUSK_SKY = createGradient(['#3a2a6a', '#b0487a', '#ff8a4a', '#ffc46a'].map(fromHex));

/** Edits that change the hour and the weather of an image. */
export const WEATHER_OPERATIONS: readonly EditOperation[] = [
  edit(
    'night',
    /\b(?:(?:at |into |by )?night(?: ?time)?|nocturnal|moonlit|midnight|starry(?: sky)?)\b/g,
    (image, { random }) => byNight(image, random),
  ),
  edit(
    'sunset',
    /\b(?:sunset|sundown|golden hour|sunrise|evening (?:light|glow|sun)|dusk|dawn)\b/g,
    (image, { random }) => atSunset(image, random),
  ),
  edit('snow', /\b(?:snow(?:y|ing|fall|flakes?|storm)?|blizzard|winter(?:y)?|wintry)\b/g, (image, { random, amount }) =>
    inSnow(image, random, amount),
  ),
  edit('fog', /\b(?:fog(?:gy)?|mist(?:y)?|haz[ey]|smog(?:gy)?)\b/g, (image, { random, amount }) =>
    overlaid(image, (raster) => layFog(raster, createNoise(seedFrom(random)), MIST, 0.8 * amount, 0.62)),
  ),
  edit('rain', /\b(?:rain(?:y|ing|fall|storm)?|drizzl(?:e|ing)|downpour|storm(?:y)?)\b/g, (image, { random, amount }) =>
    overlaid(gradePixels(image, wet), (raster) => layFall(raster, random, RAIN, Math.min(2, amount), 1)),
  ),
];

const wet: Grade = ([l, a, b]) => [0.47 + (l - 0.5) * 0.88, a * 0.62, b * 0.62 - 0.008];

function overlaid(image: RgbImage, lay: (raster: Raster) => void): RgbImage {
  const raster = toRaster(image);
  lay(raster);
  return toRgbImage(raster);
}

function seedFrom(random: Random): number {
  return Math.floor(random() * 2 ** 31);
}

/** Day for night: dark, blue, with less colour; stars appear in the upper part where the image was bright. */
function byNight(image: RgbImage, random: Random): RgbImage {
  const { width, height, data } = image;
  const dark = gradePixels(image, ([l, a, b]) => [
    l * 0.46 + 0.015,
    a * 0.35,
    b * 0.35 - 0.052 * smoothstep(0, 0.5, l),
  ]);
  return overlaid(dark, (raster) => {
    const unit = Math.sqrt(width * height);
    const isSky = (x: number, y: number): number =>
      smoothstep(0.42, 0.62, toneOf(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)) / 255) *
      smoothstep(0.62, 0.3, y / height);
    for (let i = 0; i < 650; i++) {
      const x = Math.floor(random() * width);
      const y = Math.floor(random() * height * 0.62);
      const magnitude = random() ** 7;
      addHalo(raster, x, y, unit * (0.0012 + 0.0035 * magnitude) + 0.5, MOONLIGHT, isSky(x, y) * (0.3 + magnitude * 2));
    }
    const moonX = width * between(random, 0.68, 0.86);
    const moonY = height * between(random, 0.1, 0.18);
    if (isSky(Math.floor(moonX), Math.floor(moonY)) < 0.5) return;
    addHalo(raster, moonX, moonY, unit * 0.22, MOONLIGHT, 0.3);
    blendDisc(raster, moonX, moonY, unit * 0.036, MOONLIGHT);
  });
}

/** Evening colours over bright areas, warm light over everything, and the sun low in the image. */
function atSunset(image: RgbImage, random: Random): RgbImage {
  const { width, height } = image;
  const reach = Math.hypot(width, height);
  const horizon = height * 0.5;
  return overlaid(gradePixels(image, moodGrade('warm', 1.3)), (raster) => {
    for (let y = 0; y < height; y++) {
      const from = gradientOffset(DUSK_SKY, y / horizon);
      const high = smoothstep(1.35, 0.75, y / horizon) * 0.8;
      for (let offset = y * width * 3; offset < (y + 1) * width * 3; offset += 3) {
        const bright = smoothstep(0.12, 0.6, raster.data[offset + 1]!) * high;
        for (let c = 0; c < 3; c++) {
          const own = raster.data[offset + c]! * [0.92, 0.78, 0.7][c]!;
          raster.data[offset + c] = mix(own, own * 0.35 + DUSK_SKY.table[from + c]! * 0.85, bright);
        }
      }
    }
    const sunX = width * between(random, 0.28, 0.72);
    addHalo(raster, sunX, horizon * 0.84, reach * 0.42, fromHex('#ffb25a'), 0.55);
    addHalo(raster, sunX, horizon * 0.84, reach * 0.09, fromHex('#fff0c0'), 1.3);
  });
}

function inSnow(image: RgbImage, random: Random, amount: number): RgbImage {
  const cold = gradePixels(image, ([l, a, b]) => [l + (1 - l) * 0.16, a * 0.55, b * 0.55 - 0.014]);
  return overlaid(cold, (raster) => layFall(raster, random, SNOW, Math.min(2.5, amount), 1));
}
