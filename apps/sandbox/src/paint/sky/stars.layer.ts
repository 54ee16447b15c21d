import { fromHex, fromHexes } from '../../raster/colour';
import { clamp, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { between, pick } from '../../raster/random';
import { addAt } from '../../raster/raster';
import { addHalo } from '../../raster/around';
import { noiseFor, randomFor, type Stage } from '../stage';

const TINTS = fromHexes('#ffffff', '#cfdcff', '#fff0d8', '#ffe0c0');

/** A field of stars, few bright ones among many faint, thinning out towards the horizon. */
export function paintStars(stage: Stage): void {
  const { raster, scene, horizonY, unit } = stage;
  if (!scene.stars) return;
  if (scene.time === 'night') paintMilkyWay(stage);
  const random = randomFor(stage, 'stars');
  const count = Math.round(((raster.width * horizonY) / (unit * unit)) * (scene.time === 'night' ? 1500 : 260));
  for (let i = 0; i < count; i++) {
    const x = random() * raster.width;
    const y = random() * horizonY;
    const magnitude = random() ** 9;
    const tint = pick(random, TINTS);
    const fade = smoothstep(0, 0.45, 1 - y / horizonY);
    const reach = (0.0008 + 0.0036 * magnitude) * unit + 0.55;
    addHalo(raster, x, y, reach, tint, fade * between(random, 0.25, 0.7) * (1 + 9 * magnitude));
  }
}

/** A band of faint light across the sky, with dark dust in it. */
function paintMilkyWay(stage: Stage): void {
  const { raster, horizonY, unit } = stage;
  const noise = noiseFor(stage, 'milky-way');
  const random = randomFor(stage, 'milky-way');
  const angle = between(random, 0.7, 1.2) * (random() < 0.5 ? -1 : 1);
  const centre = raster.width * between(random, 0.35, 0.65);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const cool = fromHex('#8fa3e0');
  const warm = fromHex('#d9b59a');
  for (let y = 0; y < Math.min(horizonY, raster.height); y++) {
    const fade = smoothstep(0.02, 0.6, 1 - y / horizonY) * 0.3;
    for (let x = 0; x < raster.width; x++) {
      const along = ((x - centre) * cos + (y - horizonY * 0.4) * sin) / unit;
      const across = (-(x - centre) * sin + (y - horizonY * 0.4) * cos) / unit;
      if (Math.abs(across) > 0.42) continue;
      const cloud = fractal(noise, along * 2.6, across * 5 + 3, 4);
      const band = Math.exp(-((across + cloud * 0.1) ** 2) * 34);
      const dust = smoothstep(0.02, 0.3, fractal(noise, along * 4 + 40, across * 9, 3) + 0.16 - Math.abs(across) * 1.5);
      const glow = clamp(band * (0.5 + cloud * 0.9) * (1 - 0.75 * dust), 0, 1) * fade;
      const offset = (y * raster.width + x) * 3;
      addAt(raster.data, offset, cool, glow * 0.75);
      addAt(raster.data, offset, warm, glow * band * 0.25);
    }
  }
}
