import { clamp, smoothstep } from '../../raster/curve';
import { fractal } from '../../raster/noise';
import { type Colour } from '../../raster/colour';
import { type Noise } from '../../raster/noise';
import { type Raster } from '../../raster/raster';
import { noiseFor, type Stage } from '../stage';

export interface FogBank {
  readonly colour: Colour;
  readonly density: number;
  /** The row in which the fog is thickest, and how far it reaches up and down from there, in pixels. */
  readonly centreY: number;
  readonly reach: number;
}

export function paintFog(stage: Stage): void {
  const { raster, scene, light, horizonY } = stage;
  if (scene.weather.fog <= 0) return;
  const bank = {
    colour: light.haze,
    density: scene.weather.fog * 0.85,
    centreY: horizonY * 1.06,
    reach: raster.height * 0.42,
  };
  layFog(raster, noiseFor(stage, 'fog'), bank);
}

/** Draws drifting fog over an image, dense at one height and thinner above and below. */
export function layFog({ width, height, data }: Raster, noise: Noise, bank: FogBank): void {
  const unit = Math.sqrt(width * height);
  for (let y = 0; y < height; y++) {
    const away = Math.abs(y - bank.centreY) / bank.reach;
    const band = Math.exp(-away * away * 1.6);
    for (let x = 0; x < width; x++) {
      const drift = fractal(noise, (x / unit) * 2.2, (y / unit) * 7, 4);
      const amount = clamp(bank.density * band * smoothstep(-0.75, 0.55, drift), 0, 0.97);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = data[offset + c]! + (bank.colour[c]! - data[offset + c]!) * amount;
    }
  }
}
