import { createCoarseField, type CoarseField, fieldAt } from '../raster/coarse-field';
import { type Colour, fromHex } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { fractal, type Noise } from '../raster/noise';
import { between, type Random } from '../raster/random';
import { blendAt, type Raster } from '../raster/raster';
import { type Stage } from './stage';

/** What falls: how much of it, how fast far off and near (in heights a second), and its radius. */
interface Fall {
  readonly count: number;
  readonly speed: readonly [far: number, near: number];
  readonly radius: readonly [far: number, near: number];
  readonly sway: number;
  readonly colour: Colour;
  readonly opacity: number;
}
export const SNOW: Fall = {
  ...{ count: 700, speed: [0.07, 0.33], radius: [0.0013, 0.0098], sway: 0.01 },
  ...{ colour: fromHex('#ffffff'), opacity: 0.7 },
};
export const RAIN: Fall = {
  ...{ count: 800, speed: [1.3, 2.8], radius: [0.0004, 0.001], sway: 0 },
  ...{ colour: fromHex('#dfe8f2'), opacity: 0.3 },
};
/** How long the shutter is open: fast things appear as streaks. */
const EXPOSURE_SECONDS = 0.03;

/** Receives each pixel that a thing covers, and how much of it. */
type Lay = (x: number, y: number, amount: number) => void;

/** Things at every depth, as they are `seconds` into their fall; the nearest are large and fast. */
export function createFall(random: Random, { count, speed, radius, sway, opacity }: Fall, amount: number) {
  const slant = between(random, -0.2, 0.2);
  const things = Array.from({ length: Math.round(count * amount) }, () => {
    const near = random() ** 2.8;
    const pace = mix(...speed, near) * between(random, 0.8, 1.2);
    return { x: random(), y: random(), near, pace, phase: random(), alpha: opacity * between(random, 0.5, 1) };
  });
  return (width: number, height: number, seconds: number, lay: Lay): void => {
    for (const { x, y, near, pace, phase, alpha } of things) {
      const swayed = sway * Math.sin(2 * Math.PI * (phase + seconds * (0.25 + 0.3 * phase)));
      const headX = wrapped(x + swayed + (slant * seconds * pace * height) / width) * width;
      const headY = wrapped(y + seconds * pace) * height;
      const [length, size] = [pace * height * EXPOSURE_SECONDS, mix(...radius, near) * Math.sqrt(width * height)];
      const reach = size + 1;
      for (let row = Math.max(0, Math.floor(headY - length - reach)); row < height && row <= headY + reach; row++) {
        const along = clamp(headY - row, 0, length);
        const centre = headX - along * slant;
        for (
          let column = Math.max(0, Math.floor(centre - reach));
          column < width && column <= centre + reach;
          column++
        ) {
          const away = Math.hypot(column - centre, row - (headY - along));
          lay(column, row, alpha * smoothstep(reach, Math.max(0, size * 0.45 - 0.6), away));
        }
      }
    }
  };
}

/** Wraps a position from slightly below the frame to slightly above it. */
function wrapped(place: number): number {
  const span = 1.2;
  return ((((place + 0.1) % span) + span) % span) - 0.1;
}

/** The density of two layers of fog that drift across each other: greatest at the height `centre`, a share of the image's. */
export function fogAt(noise: Noise, width: number, height: number, centre: number, seconds = 0): CoarseField {
  const unit = Math.sqrt(width * height);
  return createCoarseField(width, height, 8, (x, y) => {
    const band = Math.exp(-(((y / height - centre) / 0.44) ** 2) * 1.5);
    const [u, v] = [x / unit, y / unit];
    const far = fractal(noise, u * 1.7 - seconds * 0.09, v * 4.2 + seconds * 0.03, 3);
    const near = fractal(noise, u * 1.1 - seconds * 0.21 + 31, v * 2.6 + 17, 3);
    return band * smoothstep(-0.6, 0.6, far + near);
  });
}

export function paintWeather(stage: Stage): void {
  const { raster, scene, light, horizonY } = stage;
  const { fog, rain, snow } = scene.weather;
  if (fog > 0) layFog(raster, stage.noise('fog'), light.haze, fog, (horizonY * 1.06) / raster.height);
  if (rain > 0) layFall(raster, stage.random('rain'), RAIN, rain, light.dark ? 0.5 : 1);
  if (snow > 0) layFall(raster, stage.random('snowfall'), SNOW, snow, light.dark ? 0.6 : 1);
}

export function layFog(raster: Raster, noise: Noise, colour: Colour, density: number, centre: number): void {
  const { width, height, data } = raster;
  const field = fogAt(noise, width, height, centre);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const amount = Math.min(0.97, fieldAt(field, pixel % width, Math.floor(pixel / width)) * density);
    blendAt(data, pixel * 3, colour, amount);
  }
}

export function layFall(raster: Raster, random: Random, fall: Fall, amount: number, strength: number): void {
  const { width, height, data } = raster;
  createFall(random, fall, amount)(width, height, 0, (x, y, cover) =>
    blendAt(data, (y * width + x) * 3, fall.colour, cover * strength),
  );
}
