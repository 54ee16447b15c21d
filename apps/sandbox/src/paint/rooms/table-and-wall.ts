import { type Colour } from '../../raster/colour';
import { mix, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { noiseFor, type Stage } from '../stage';
import { type StudioLight } from './studio-light';

/** A plastered wall with the light of a window on it. */
export function paintWall(stage: Stage, light: StudioLight, colour: Colour, tableY: number): void {
  const { raster, unit } = stage;
  const noise = noiseFor(stage, 'wall');
  const { width, data } = raster;
  for (let y = 0; y < Math.min(raster.height, tableY + 1); y++) {
    for (let x = 0; x < width; x++) {
      const fromWindow = light.side < 0 ? x / width : 1 - x / width;
      const plaster = 1 + fractal(noise, (x / unit) * 5, (y / unit) * 5, 4) * 0.14;
      // The shape of the window appears on the wall, slanted, with the shadow of its bars.
      const u = (fromWindow - 0.16 - (1 - y / tableY) * 0.16) / 0.36;
      const v = (y / tableY - 0.16) / 0.58;
      const pane =
        smoothstep(-0.03, 0.05, u) * smoothstep(1.03, 0.95, u) * smoothstep(-0.04, 0.05, v) * smoothstep(1.04, 0.95, v);
      const bar = smoothstep(0.03, 0.055, Math.abs(u - 0.5)) * smoothstep(0.02, 0.045, Math.abs(v - 0.45));
      const glow = mix(0.62, 0.2, fromWindow) + pane * bar * 0.5 * (1 - fromWindow * 0.5);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = colour[c]! * plaster * (light.ambient[c]! + light.key[c]! * glow);
    }
  }
}

/** A wooden table from its far edge downwards. */
export function paintTable(stage: Stage, light: StudioLight, wood: Colour, tableY: number): void {
  const { raster, unit } = stage;
  const noise = noiseFor(stage, 'table');
  const { width, height, data } = raster;
  for (let y = Math.floor(tableY); y < height; y++) {
    const near = (y - tableY) / (height - tableY);
    const depth = 1 / (1.25 - near);
    for (let x = 0; x < width; x++) {
      const fromWindow = light.side < 0 ? x / width : 1 - x / width;
      const across = ((x - width / 2) / unit) * (1.3 - 0.5 * near);
      const rings = fractal(noise, across * 2.2, depth * 9 + across * 0.3, 4);
      const grain = 1 + Math.sin((rings * 5 + depth * 3) * 5) * 0.07 + fractal(noise, across * 7, depth * 70, 2) * 0.22;
      const edge = smoothstep(0, 0.035, near);
      const glow = mix(0.72, 0.3, fromWindow) * mix(0.75, 1, edge) * (1 - 0.25 * near);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++)
        data[offset + c] = wood[c]! * grain * (light.ambient[c]! * 1.1 + light.key[c]! * glow);
    }
  }
}
