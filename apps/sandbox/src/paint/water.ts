import { fromHex, mixColours, scaleColour } from '../raster/colour';
import { clamp, mix, smoothstep } from '../raster/curve';
import { gradientColour } from '../raster/gradient';
import { type Raster, sampleInto } from '../raster/raster';
import { seenColour } from '../scene/light';
import { sourcePosition } from './sky';
import { LANDS } from './land';
import { type Stage } from './stage';

/** Covers each column below its shore with a moving reflection of what is painted above the shore. */
export function paintWater(stage: Stage): void {
  const { raster, shore, scene, light, horizonY, unit } = stage;
  const { width, height, data } = raster;
  const above: Raster = { width, height, data: data.slice() };
  const noise = stage.noise('water');
  const roughness = scene.weather.wind * (LANDS[scene.setting]?.swell ?? 0.5);
  const deep = scaleColour(
    mixColours(fromHex('#0b3b52'), gradientColour(light.sky, 0.3), 0.35),
    light.dark ? 0.3 : 0.6,
  );
  const foam = seenColour(light, fromHex('#eef3f5'), 0.5, 0);
  const glitter = glitterOf(stage, roughness);
  const seen = new Float32Array(3);
  for (let y = Math.max(0, Math.floor(horizonY) - 2); y < height; y++) {
    const below = Math.max(0.6, y - horizonY + 0.5);
    const z = (unit * 0.42) / below;
    const distance = Math.exp((-below * 14) / unit) * 0.45;
    const calm = clamp(below / (unit * 0.02), 0.15, 1);
    const facing = mix(0.94, 0.5, smoothstep(0, unit * 0.75, below));
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      if (y < shore[x]!) continue;
      const worldX = ((x - width / 2) / unit) * z;
      const fine = noise(worldX * 16, z * 60) * calm;
      const tilt = noise(worldX * 4.5, z * 17 + fine * 0.2) * 0.65 + fine * 0.5;
      const wobble = tilt * roughness * (unit * 0.01 + below * 0.3);
      // Above the image nothing is left to reflect; the reflection runs back, more slowly.
      const row = Math.min(2 * shore[x]! - y - wobble, shore[x]! - 1);
      sampleInto(above, x + fine * roughness * (2 + below * 0.05), row < 0 ? -row * 0.5 : row, seen);
      const grazing = clamp(facing - tilt * roughness * 0.25, 0.12, 0.97);
      const crest = roughness > 0.6 ? smoothstep(0.62, 0.85, tilt + fine * 0.25) * (roughness - 0.5) : 0;
      const shine = glitter(x, below, tilt + fine * 0.4);
      for (let c = 0; c < 3; c++) {
        const surface = mix(deep[c]!, seen[c]! * 0.93, grazing) + light.sourceColour[c]! * shine;
        data[pixel * 3 + c] = mix(mix(surface, foam[c]!, crest), light.haze[c]!, distance);
      }
    }
  }
}

/** The reflection of a low sun or moon: every wave at the right angle flashes. */
function glitterOf(stage: Stage, roughness: number): (x: number, below: number, tilt: number) => number {
  const { light, unit, raster, scene } = stage;
  const source = sourcePosition(stage);
  const pixel = Math.round(source.y) * raster.width + Math.round(source.x);
  // A source that a mountain or clouds hide lights no water.
  const isShown = (raster.data[pixel * 3] ?? 0) > 1;
  const byHour = { dawn: 1, day: 0.35, golden: 1, sunset: 1.2, dusk: 0, night: 0.45 }[scene.time];
  const strength = isShown ? byHour * (1 - light.overcast) * clamp(roughness * 2, 0.25, 1) * 1.9 : 0;
  return (x, below, tilt) => {
    const aside = (x - source.x) / (unit * 0.035 + below * (0.1 + 0.22 * roughness));
    return strength === 0 || aside * aside > 6 ? 0 : strength * Math.exp(-aside * aside) * smoothstep(0.12, 0.5, tilt);
  };
}
