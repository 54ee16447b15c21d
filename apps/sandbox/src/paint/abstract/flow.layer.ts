import { blendDisc } from '../../raster/around';
import { createCoarseField, fieldAt } from '../../raster/coarse-field';
import { type Colour, mixColours, scaleColour, toLab } from '../../raster/colour';
import { clamp, smoothstep } from '../../raster/curve';
import { createGradient, gradientOffset } from '../../raster/gradient';
import { fractal, type Noise } from '../../raster/noise';
import { between, type Random } from '../../raster/random';
import { noiseFor, randomFor, type Stage } from '../stage';
import { paletteOf } from './palettes';

/** Folds of colour like silk, with threads that follow the same flow. */
export function paintFlow(stage: Stage): void {
  const random = randomFor(stage, 'flow');
  const noise = noiseFor(stage, 'flow');
  const palette = [...paletteOf(stage.scene, random)].sort((a, b) => toLab(a)[0] - toLab(b)[0]);
  const threads = random() < 0.6;
  paintFolds(stage, noise, palette, threads ? 0.75 : 1);
  if (threads) paintThreads(stage, noise, random, palette);
}

/** Noise distorted by distorted noise, lit from the upper left like cloth. */
function paintFolds(
  { raster, unit, scene }: Stage,
  noise: Noise,
  palette: readonly Colour[],
  brightness: number,
): void {
  const { width, height, data } = raster;
  const colours = createGradient([...palette, ...[...palette].reverse()]);
  const octaves = clamp(3 + scene.detail, 2, 4);
  const folds = createCoarseField(width, height, 2, (x, y) => {
    const u = (x / unit) * 0.9;
    const v = (y / unit) * 0.9;
    const bendX = fractal(noise, u, v, octaves);
    const bendY = fractal(noise, u + 5.2, v + 1.3, octaves);
    const bend = fractal(noise, u + 2.4 * bendX + 1.7, v + 2.4 * bendY + 9.2, octaves);
    return fractal(noise, u + 2.2 * bend, v + 2.2 * bendX, octaves) + 0.32 * bend;
  });
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = fieldAt(folds, x, y);
      const slope = ((fieldAt(folds, x + 2, y) + fieldAt(folds, x, y + 2) - 2 * here) * unit) / 110;
      const sheen = smoothstep(0.1, 1.2, slope) * 0.11;
      const shade = (0.9 + clamp(slope, -0.6, 0.6) * 0.5) * brightness;
      const from = gradientOffset(colours, 0.5 + here * 0.85);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = colours.table[from + c]! * shade + sheen;
    }
  }
}

function paintThreads(stage: Stage, noise: Noise, random: Random, palette: readonly Colour[]): void {
  const { raster, unit } = stage;
  const count = Math.round((2300 * raster.width * raster.height) / (unit * unit));
  const steps = 90;
  const stride = unit * 0.0028;
  for (let i = 0; i < count; i++) {
    let x = between(random, -0.1, 1.1) * raster.width;
    let y = between(random, -0.1, 1.1) * raster.height;
    const index = Math.floor(random() ** 0.8 * palette.length);
    const colour = scaleColour(
      mixColours(palette[index] ?? palette[0]!, palette[palette.length - 1]!, random() * 0.5),
      between(random, 0.8, 1.25),
    );
    const width = unit * between(random, 0.0006, 0.0022);
    for (let step = 0; step < steps; step++) {
      const angle = fractal(noise, (x / unit) * 1.1, (y / unit) * 1.1, 2) * 7;
      x += Math.cos(angle) * stride;
      y += Math.sin(angle) * stride;
      const taper = Math.sin((Math.PI * (step + 1)) / (steps + 1));
      blendDisc(raster, x, y, width * taper + 0.35, colour, 0.34 * taper);
    }
  }
}
