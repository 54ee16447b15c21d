import { type Colour, fromHex } from '../../raster/colour';
import { clamp, smoothstep } from '../../raster/curve';
import { createGradient, gradientOffset } from '../../raster/gradient';
import { type Noise } from '../../raster/noise';
import { between, pick } from '../../raster/random';
import { noiseFor, randomFor, type Stage } from '../stage';

const CURTAINS: readonly [readonly Colour[], ...(readonly Colour[])[]] = [
  ['#b8ffd9', '#3df0a0', '#1fb8a0', '#5a4fd0', '#8a2fb0'].map(fromHex),
  ['#d0ffe4', '#4ff08a', '#23c07a', '#2a8aa0', '#3a3f9a'].map(fromHex),
  ['#ffe0f0', '#6df0b0', '#38c8c0', '#8a5fe0', '#d03f9a'].map(fromHex),
];

/** Curtains of light: a sharp winding lower edge, and rays that rise from it and fade. */
export function paintAurora(stage: Stage): void {
  const { scene } = stage;
  if (scene.weather.aurora <= 0) return;
  const noise = noiseFor(stage, 'aurora');
  const random = randomFor(stage, 'aurora');
  const colours = createGradient(pick(random, CURTAINS));
  for (let curtain = 0; curtain < 3; curtain++) {
    const strength = scene.weather.aurora * [1, 0.7, 0.45][curtain]!;
    paintCurtain(stage, noise, colours, {
      base: between(random, 0.42, 0.78) - curtain * 0.1,
      shift: random() * 90,
      reach: between(random, 0.3, 0.5),
      strength,
    });
  }
}

interface Curtain {
  /** The mean height of the lower edge, as a share of the sky from its top. */
  readonly base: number;
  readonly shift: number;
  readonly reach: number;
  readonly strength: number;
}

function paintCurtain(
  { raster, horizonY, unit }: Stage,
  noise: Noise,
  colours: ReturnType<typeof createGradient>,
  curtain: Curtain,
): void {
  const { width, data } = raster;
  for (let x = 0; x < width; x++) {
    const u = x / unit;
    const fold = noise(u * 1.1 + curtain.shift, 1) * 0.2 + noise(u * 3.1 + curtain.shift, 5) * 0.05;
    const hem = horizonY * (curtain.base + fold);
    const ray = clamp(
      0.55 + noise(u * 26 + fold * 60, curtain.shift) * 0.35 + noise(u * 9 + fold * 30, curtain.shift + 7) * 0.45,
      0,
      1.3,
    );
    const glow = smoothstep(-0.35, 0.4, noise(u * 0.9, curtain.shift + 20)) * ray * curtain.strength;
    const reach = horizonY * curtain.reach * (0.6 + 0.6 * ray);
    for (let y = Math.max(0, Math.floor(hem - reach * 2.4)); y < Math.min(horizonY, hem + unit * 0.02); y++) {
      const height = (hem - y) / reach;
      const light = height < 0 ? Math.max(0, 1 + height * 22) : Math.exp(-height * 2.1);
      const amount = light * glow * 0.62;
      const from = gradientOffset(colours, height / 1.5);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = data[offset + c]! + colours.table[from + c]! * amount;
    }
  }
}
