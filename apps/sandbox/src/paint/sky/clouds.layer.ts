import { gradientColour } from '../../raster/gradient';
import { type CoarseField, createCoarseField, fieldAt } from '../../raster/coarse-field';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { type Colour, fromLab, mixColours, scaleColour, toLab } from '../../raster/colour';
import { fractal } from '../../raster/noise';
import { overcast } from '../../scene/light';
import { noiseFor, type Stage } from '../stage';
import { sourcePosition } from './backdrop.layer';

/** Clouds are soft: a third of the image's resolution is enough for them. */
const COARSENESS = 3;

interface CloudFields {
  readonly cover: CoarseField;
  readonly lit: CoarseField;
}

/** A layer of clouds in perspective: flattened and dense towards the horizon, lit from the side of the source. */
export function paintClouds(stage: Stage): void {
  const { raster, scene, light, horizonY } = stage;
  if (scene.weather.clouds <= 0.02) return;
  const { cover: covers, lit: lights } = cloudFields(stage);
  const source = sourcePosition(stage);
  const tones = cloudTones(stage);
  const { width, data } = raster;
  for (let y = 0; y < Math.min(raster.height, horizonY); y++) {
    const elevation = 1 - y / horizonY;
    // The lowest clouds fade into haze, otherwise the horizon would appear as a hard edge.
    const air = smoothstep(0, 0.16, elevation);
    for (let x = 0; x < width; x++) {
      const cover = fieldAt(covers, x, y) * (0.25 + 0.75 * air);
      if (cover <= 0.003) continue;
      const lit = fieldAt(lights, x, y);
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

function cloudFields(stage: Stage): CloudFields {
  const { raster, scene, horizonY, unit, light } = stage;
  const noise = noiseFor(stage, 'clouds');
  const threshold = mix(0.34, -0.42, scene.weather.clouds);
  const opacity = 0.82 + 0.18 * scene.weather.clouds;
  const octaves = 5 + Math.sign(scene.detail);
  // The cloud layer is level, so it appears more foreshortened towards the horizon.
  const depthAt = (y: number): number => 1 / (clamp(1 - y / horizonY, 0, 1) + 0.22);
  const acrossAt = (x: number, depth: number): number => ((x - raster.width / 2) / unit) * depth * 1.15;
  const bendAt = (u: number, v: number): number => noise(u * 0.6 + 40, v * 0.6) * 0.5;
  const thickness = createCoarseField(raster.width, horizonY, COARSENESS, (x, y) => {
    const depth = depthAt(y);
    const u = acrossAt(x, depth);
    const v = depth * 1.9;
    const bend = bendAt(u, v);
    return fractal(noise, u + bend, v * 1.35 + bend, octaves) - threshold;
  });
  const covers = thickness.values.map((thick) => smoothstep(0, 0.34, thick) * opacity);
  const lit = createCoarseField(raster.width, horizonY, COARSENESS, (x, y, index) => {
    if (covers[index]! <= 0) return 0;
    const depth = depthAt(y);
    const u = acrossAt(x, depth);
    const v = depth * 1.9;
    const bend = bendAt(u, v);
    const towards = fractal(noise, u + light.side * 0.16 + bend, (v + 0.1) * 1.35 + bend, 3) - threshold;
    return clamp(0.62 - towards * 0.9 + (thickness.values[index]! - towards) * 0.9, 0, 1);
  });
  return { cover: { ...thickness, values: covers }, lit };
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
