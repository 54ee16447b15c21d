import { gradientColour } from '../../raster/gradient';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { type Colour, fromLab, mixColours, scaleColour, toLab } from '../../raster/colour';
import { fractal } from '../../raster/noise';
import { overcast } from '../../scene/light';
import { noiseFor, type Stage } from '../stage';
import { sourcePosition } from './backdrop.layer';

/** Clouds are soft: a third of the picture's resolution holds all that they have. */
const COARSENESS = 3;

interface CloudField {
  readonly columns: number;
  readonly rows: number;
  readonly cover: Float32Array;
  readonly lit: Float32Array;
}

/** A ceiling of clouds in perspective: flattened and crowded towards the horizon, lit from the side of the source. */
export function paintClouds(stage: Stage): void {
  const { raster, scene, light, horizonY } = stage;
  if (scene.weather.clouds <= 0.02) return;
  const field = cloudField(stage);
  const source = sourcePosition(stage);
  const tones = cloudTones(stage);
  const { width, data } = raster;
  for (let y = 0; y < Math.min(raster.height, horizonY); y++) {
    const elevation = 1 - y / horizonY;
    // The lowest clouds drown in haze, otherwise the horizon would look like an edge of paper.
    const air = smoothstep(0, 0.16, elevation);
    for (let x = 0; x < width; x++) {
      const cover = lookUp(field, field.cover, x, y) * (0.25 + 0.75 * air);
      if (cover <= 0.003) continue;
      const lit = lookUp(field, field.lit, x, y);
      const near = Math.exp((-3.2 * Math.hypot(x - source.x, (y - source.y) * 1.3)) / stage.unit);
      const rim = near * (1 - cover) * 1.5;
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) {
        const body = mix(tones.shade[c]!, tones.light[c]!, lit) + tones.glow[c]! * (rim + near * lit * 0.7);
        const hazed = mix(light.haze[c]!, body, 0.35 + 0.65 * air);
        data[offset + c] = mix(data[offset + c]!, hazed, cover);
      }
    }
  }
}

function cloudField(stage: Stage): CloudField {
  const { raster, scene, horizonY, unit, light } = stage;
  const columns = Math.ceil(raster.width / COARSENESS) + 2;
  const rows = Math.ceil(horizonY / COARSENESS) + 2;
  const cover = new Float32Array(columns * rows);
  const lit = new Float32Array(columns * rows);
  const noise = noiseFor(stage, 'clouds');
  const threshold = mix(0.34, -0.42, scene.weather.clouds);
  const octaves = 5 + Math.sign(scene.detail);
  const sideways = light.sourceX < 0.5 ? -1 : 1;
  const density = (u: number, v: number): number => {
    const bend = noise(u * 0.6 + 40, v * 0.6) * 0.5;
    return fractal(noise, u + bend, v * 1.35 + bend, octaves);
  };
  for (let row = 0; row < rows; row++) {
    const elevation = clamp(1 - (row * COARSENESS) / horizonY, 0, 1);
    const depth = 1 / (elevation + 0.22);
    for (let column = 0; column < columns; column++) {
      const across = (column * COARSENESS - raster.width / 2) / unit;
      const u = across * depth * 1.15;
      const v = depth * 1.9;
      const here = density(u, v);
      const i = row * columns + column;
      const thickness = here - threshold;
      cover[i] = smoothstep(0, 0.34, thickness) * (0.82 + 0.18 * scene.weather.clouds);
      if (cover[i] <= 0) continue;
      const towards = fractal(
        noise,
        u + sideways * 0.16 + noise(u * 0.6 + 40, v * 0.6) * 0.5,
        (v + 0.1) * 1.35 + noise(u * 0.6 + 40, v * 0.6) * 0.5,
        3,
      );
      lit[i] = clamp(0.62 - (towards - threshold) * 0.9 + (here - towards) * 0.9, 0, 1);
    }
  }
  return { columns, rows, cover, lit };
}

function cloudTones({ scene, light }: Stage): { shade: Colour; light: Colour; glow: Colour } {
  const grey = overcast(scene);
  const [zenithLightness] = toLab(gradientColour(light.sky, 0.25));
  const mid = gradientColour(light.sky, 0.5);
  const warm = mixColours(light.sourceColour, gradientColour(light.sky, 0.85), scene.time === 'day' ? 0.1 : 0.55);
  if (light.night) {
    const moonlit = scaleColour(mid, 2.1);
    return {
      shade: scaleColour(mid, 0.75),
      light: moonlit,
      glow: scaleColour(light.sourceColour, scene.moon ? 0.25 : 0),
    };
  }
  const [, a, b] = toLab(mid);
  const shadeLightness = mix(clamp(zenithLightness + 0.2, 0.35, 0.78), 0.5 - 0.18 * scene.weather.lightning, grey);
  const shade = fromLab([shadeLightness, a * 0.6, b * 0.6]);
  const bright = mixColours(warm, shade, grey * 0.75);
  return {
    shade,
    light: scaleColour(bright, mix(1.05, 0.8, grey)),
    glow: scaleColour(light.sourceColour, scene.time === 'dusk' ? 0.1 : 0.9 * (1 - grey)),
  };
}

function lookUp(field: CloudField, values: Float32Array, x: number, y: number): number {
  const fx = x / COARSENESS;
  const fy = y / COARSENESS;
  const column = fx | 0;
  const row = fy | 0;
  const i = row * field.columns + column;
  const u = fx - column;
  const v = fy - row;
  const upper = values[i]! + (values[i + 1]! - values[i]!) * u;
  const lower = values[i + field.columns]! + (values[i + field.columns + 1]! - values[i + field.columns]!) * u;
  return upper + (lower - upper) * v;
}
