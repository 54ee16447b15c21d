import { blendDisc } from '../../raster/around';
import { type Colour, scaleColour } from '../../raster/colour';
import { gradientOffset } from '../../raster/gradient';
import { type Stage } from '../stage';

/** The source's centre in pixels. */
export function sourcePosition({ raster, light, horizonY }: Stage): { x: number; y: number } {
  return { x: light.sourceX * raster.width, y: horizonY * (1 - light.sourceElevation) };
}

/**
 * Fills the whole image with the sky, brighter and warmer around the source. Layers below the horizon are painted over
 * it later.
 */
export function paintBackdrop(stage: Stage): void {
  const { raster, light, horizonY, unit } = stage;
  const { width, height, data } = raster;
  const source = sourcePosition(stage);
  const glow = glowOf(stage);
  for (let y = 0; y < height; y++) {
    const from = gradientOffset(light.sky, y / horizonY);
    const dy = (y - source.y) / unit;
    for (let x = 0; x < width; x++) {
      const dx = (x - source.x) / unit;
      const near = Math.sqrt(dx * dx + dy * dy);
      const wide = Math.sqrt(dx * dx * 0.3 + dy * dy * 2.2);
      const halo = glow.near * Math.exp(-near * 9) + glow.wide * Math.exp(-wide * 3.4);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = light.sky.table[from + c]! + glow.colour[c]! * halo;
    }
  }
}

function glowOf({ scene, light }: Stage): { colour: Colour; near: number; wide: number } {
  const shown = light.night ? scene.moon : scene.sun;
  const clear =
    1 - 0.85 * Math.min(1, Math.max(0, scene.weather.clouds - 0.55) * 2.2 + scene.weather.rain + scene.weather.snow);
  const byHour = { dawn: 1, day: 0.7, golden: 1, sunset: 1.15, dusk: 0.12, night: 0.2 }[scene.time];
  const amount = shown ? clear * byHour : 0.25 * clear * byHour;
  return { colour: scaleColour(light.sourceColour, amount), near: 0.55, wide: 0.34 };
}

/** The sun itself: brighter than white, so that bloom and glitter occur. */
export function paintSun(stage: Stage): void {
  const { raster, scene, light, unit } = stage;
  if (!scene.sun || light.night || scene.time === 'dusk') return;
  const veil = Math.min(
    1,
    scene.weather.clouds * 0.5 +
      scene.weather.rain +
      scene.weather.snow +
      scene.weather.fog * 0.6 +
      scene.weather.lightning,
  );
  if (veil >= 1) return;
  const low = scene.time === 'sunset' || scene.time === 'dawn' || scene.time === 'golden';
  const brightness = (low ? 5 : 9) * (1 - veil) + 0.6;
  const { x, y } = sourcePosition(stage);
  blendDisc(raster, x, y, unit * (low ? 0.042 : 0.03), scaleColour(light.sourceColour, brightness));
}
