import { addHalo, blendDisc, visitAround } from '../raster/around';
import { createCoarseField, fieldAt } from '../raster/coarse-field';
import { fromHex, fromHexes, fromLab, mixColours, scaleColour, toLab } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { createGradient, gradientColour, gradientOffset } from '../raster/gradient';
import { fractal } from '../raster/noise';
import { between, pick } from '../raster/random';
import { blendAt } from '../raster/raster';
import { type Stage } from './stage';

const TINTS = fromHexes('#ffffff', '#cfdcff', '#fff0d8', '#ffe0c0');
const CURTAIN = createGradient(['#b8ffd9', '#3df0a0', '#1fb8a0', '#5a4fd0', '#8a2fb0'].map(fromHex));

/** The source's centre in pixels. */
export function sourcePosition({ raster, light, horizonY }: Stage): { x: number; y: number } {
  return { x: light.sourceX * raster.width, y: horizonY * (1 - light.sourceElevation) };
}

/** Fills the whole image; layers below the horizon are painted over it later. */
export function paintSky(stage: Stage): void {
  const { scene, horizonY, raster, unit } = stage;
  paintBackdrop(stage);
  if (scene.shows.stars)
    paintStars(stage, ((raster.width * horizonY) / unit ** 2) * (scene.time === 'night' ? 1500 : 260));
  if (scene.weather.aurora > 0) for (const strength of [1, 0.7, 0.45]) paintCurtain(stage, strength);
  if (scene.shows.sun && !stage.light.dark) paintSun(stage);
  if (scene.shows.moon) paintMoon(stage);
}

/** Brighter and warmer around the source. */
function paintBackdrop(stage: Stage): void {
  const { raster, scene, light, horizonY, unit } = stage;
  const { width, height, data } = raster;
  const source = sourcePosition(stage);
  const byHour = { dawn: 1, day: 0.7, golden: 1, sunset: 1.15, dusk: 0.12, night: 0.2 }[scene.time];
  const shown = scene.time === 'night' ? scene.shows.moon : scene.shows.sun;
  const colour = scaleColour(light.sourceColour, byHour * (1 - 0.85 * light.overcast) * (shown ? 1 : 0.25));
  for (let y = 0; y < height; y++) {
    const from = gradientOffset(light.sky, y / horizonY);
    const dy = (y - source.y) / unit;
    for (let x = 0; x < width; x++) {
      const dx = (x - source.x) / unit;
      const near = Math.exp(Math.sqrt(dx * dx + dy * dy) * -9) * 0.55;
      const halo = near + Math.exp(Math.sqrt(dx * dx * 0.3 + dy * dy * 2.2) * -3.4) * 0.34;
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = light.sky.table[from + c]! + colour[c]! * halo;
    }
  }
}

/** Few bright stars among many faint ones, thinning out towards the horizon. */
export function paintStars({ raster, horizonY, unit, random: series }: Stage, count: number): void {
  const random = series('stars');
  for (let i = 0; i < count; i++) {
    const y = random() * horizonY;
    const magnitude = random() ** 9;
    const amount = smoothstep(0, 0.45, 1 - y / horizonY) * between(random, 0.25, 0.7) * (1 + 9 * magnitude);
    addHalo(
      raster,
      random() * raster.width,
      y,
      (0.0008 + 0.0036 * magnitude) * unit + 0.55,
      pick(random, TINTS),
      amount,
    );
  }
}

/** A curtain of the aurora: a sharp winding lower edge, and rays that rise from it and fade. */
function paintCurtain({ raster, horizonY, unit, ...stage }: Stage, strength: number): void {
  const { width, data } = raster;
  const noise = stage.noise('aurora');
  const random = stage.random(`aurora ${strength}`);
  const [base, shift, tall] = [between(random, 0.35, 0.75), random() * 90, between(random, 0.3, 0.5)];
  for (let x = 0; x < width; x++) {
    const u = x / unit;
    const fold = noise(u * 1.1 + shift, 1) * 0.2 + noise(u * 3.1 + shift, 5) * 0.05;
    const hem = horizonY * (base + fold);
    const rays = noise(u * 26 + fold * 60, shift) * 0.35 + noise(u * 9 + fold * 30, shift + 7) * 0.45;
    const ray = clamp(0.55 + rays, 0, 1.3);
    const glow = smoothstep(-0.35, 0.4, noise(u * 0.9, shift + 20)) * ray * strength * 0.62;
    const reach = horizonY * tall * (0.6 + 0.6 * ray);
    for (let y = Math.max(0, Math.floor(hem - reach * 2.4)); y < Math.min(horizonY, hem + unit * 0.02); y++) {
      const height = (hem - y) / reach;
      const amount = glow * (height < 0 ? Math.max(0, 1 + height * 22) : Math.exp(-height * 2.1));
      const from = gradientOffset(CURTAIN, height / 1.5);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = data[offset + c]! + CURTAIN.table[from + c]! * amount;
    }
  }
}

/** Brighter than white, so that bloom and glitter occur. */
function paintSun(stage: Stage): void {
  const { raster, light, unit } = stage;
  const { x, y } = sourcePosition(stage);
  const low = light.sourceElevation < 0.5;
  const brightness = (low ? 5 : 9) * (1 - light.overcast);
  blendDisc(
    raster,
    x,
    y,
    unit * (low ? 0.042 : 0.03),
    scaleColour(light.sourceColour, brightness + 0.6),
    1 - light.overcast,
  );
}

/** The moon with its maria and its phase. By day it is pale, and on the other side. */
function paintMoon(stage: Stage): void {
  const { raster, scene, light, unit, horizonY } = stage;
  const random = stage.random('moon');
  const noise = stage.noise('moon');
  const radius = unit * between(random, 0.04, 0.062);
  const source = sourcePosition(stage);
  const place = scene.time === 'night' ? source : { x: raster.width - source.x, y: horizonY * 0.24 };
  // -1 is a thin crescent, 1 is full.
  const phase = random() < 0.5 ? 1 : between(random, -0.55, 0.7);
  addHalo(raster, place.x, place.y, radius * 6.5, light.sourceColour, light.dark ? 0.16 : 0.03);
  visitAround(raster, place.x, place.y, radius + 1, (offset, dx, dy) => {
    const [u, v] = [(dx / radius) * light.side, dy / radius];
    const inside = clamp((1 - Math.hypot(u, v)) * radius, 0, 1);
    const sunlit = smoothstep(-0.07, 0.07, u + phase * Math.sqrt(Math.max(0, 1 - v * v)));
    const seas = smoothstep(-0.1, 0.35, fractal(noise, u * 1.3 + 5, v * 1.3, 5));
    const surface = (light.dark ? 1.5 : 0.9) * (1 - 0.34 * seas);
    blendAt(raster.data, offset, scaleColour(light.sourceColour, surface), inside * sunlit);
  });
}

/** A layer of clouds in perspective: flattened and dense towards the horizon, lit from the side of the source. */
export function paintClouds(stage: Stage): void {
  const { raster, scene, light, horizonY, unit } = stage;
  if (scene.weather.clouds <= 0.02) return;
  const noise = stage.noise('clouds');
  const threshold = mix(0.34, -0.42, scene.weather.clouds);
  const thickness = (x: number, y: number, octaves: number): number => {
    const depth = 1 / (clamp(1 - y / horizonY, 0, 1) + 0.22);
    const u = (x / unit - 0.5) * depth * 1.15;
    const v = depth * 2.5;
    const bend = noise(u * 0.6 + 40, v * 0.45) * 0.5;
    return fractal(noise, u + bend, v + bend, octaves) - threshold;
  };
  // Clouds are soft: a third of the image's resolution is enough for them.
  const thick = createCoarseField(raster.width, horizonY, 3, (x, y) => thickness(x, y, 5 + Math.sign(scene.detail)));
  const lit = createCoarseField(raster.width, horizonY, 3, (x, y, index) => {
    const here = thick.values[index]!;
    const towards = here > 0 ? thickness(x + light.side * unit * 0.06, y - unit * 0.02, 3) : 0;
    return clamp(0.62 + (here - 2 * towards) * 0.9, 0, 1);
  });
  const { shade, bright } = cloudTones(stage);
  const source = sourcePosition(stage);
  const glow = scaleColour(light.sourceColour, light.dark ? 0.12 : 0.9 * (1 - light.overcast));
  const { width, data } = raster;
  for (let y = 0; y < Math.min(raster.height, horizonY); y++) {
    // The lowest clouds fade into haze, otherwise the horizon would appear as a hard edge.
    const air = smoothstep(0, 0.16, 1 - y / horizonY);
    for (let x = 0; x < width; x++) {
      const cover =
        smoothstep(0, 0.34, fieldAt(thick, x, y)) * (0.25 + 0.75 * air) * (0.82 + 0.18 * scene.weather.clouds);
      if (cover <= 0.003) continue;
      const light0 = fieldAt(lit, x, y);
      const near = Math.exp((-3.2 * Math.hypot(x - source.x, (y - source.y) * 1.3)) / unit);
      const rim = near * ((1 - cover) * 1.5 + light0 * 0.7);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) {
        const body = mix(shade[c]!, bright[c]!, light0) + glow[c]! * rim;
        data[offset + c] = mix(data[offset + c]!, mix(light.haze[c]!, body, 0.35 + 0.65 * air), cover);
      }
    }
  }
}

function cloudTones({ scene, light }: Stage): Readonly<Record<'shade' | 'bright', readonly number[]>> {
  const mid = gradientColour(light.sky, 0.5);
  if (scene.time === 'night') return { shade: scaleColour(mid, 0.75), bright: scaleColour(mid, 2.1) };
  const [lightness] = toLab(gradientColour(light.sky, 0.25));
  const [, a, b] = toLab(mid);
  const shade = fromLab([mix(clamp(lightness + 0.2, 0.35, 0.78), 0.46, light.overcast), a * 0.6, b * 0.6]);
  const warm = mixColours(light.sourceColour, gradientColour(light.sky, 0.85), scene.time === 'day' ? 0.1 : 0.55);
  return { shade, bright: mixColours(warm, shade, light.overcast * 0.75) };
}
