import { clamp, mix, smoothstep } from '../../raster/curve';
import { type Colour, fromHex, mixColours, scaleColour } from '../../raster/colour';
import { gradientColour } from '../../raster/gradient';
import { type Raster, sampleInto } from '../../raster/raster';
import { seenColour } from '../seen-colour';
import { sourcePosition } from '../sky/backdrop.layer';
import { noiseFor, type Stage, WATER } from '../stage';

/** Turns water into a moving reflection of everything painted above it. `roughness`: 0 a pond, 1 a storm. */
export function paintWater(stage: Stage, roughness: number): void {
  const { raster, foot, light, horizonY, unit } = stage;
  const { width, height, data } = raster;
  const noise = noiseFor(stage, 'water');
  const deep = deepColour(stage);
  const foam = seenColour(light, fromHex('#eef3f5'), 0.5, 0);
  const mirror = mirrorRows(stage);
  const glitter = glitterOf(stage, roughness);
  const seen = new Float32Array(3);
  const above: Raster = { width, height, data: data.slice() };
  for (let y = Math.max(0, Math.floor(horizonY) - 2); y < height; y++) {
    const below = Math.max(0.6, y - horizonY + 0.5);
    const z = (unit * 0.42) / below;
    const distance = Math.exp((-below * 14) / unit) * 0.45;
    const calm = clamp(below / (unit * 0.02), 0.15, 1);
    const facing = mix(0.94, 0.5, smoothstep(0, unit * 0.75, below));
    for (let x = 0; x < width; x++) {
      const pixel = y * width + x;
      if (foot[pixel] !== WATER) continue;
      const worldX = ((x - width / 2) / unit) * z;
      const fine = noise(worldX * 16, z * 60) * calm;
      const tilt = noise(worldX * 4.5, z * 17 + fine * 0.2) * 0.65 + fine * 0.5;
      const wobble = tilt * roughness * (unit * 0.01 + below * 0.3);
      const row = clamp(Math.round(y + wobble), Math.ceil(horizonY), height - 1);
      sampleInto(above, x + fine * roughness * (2 + below * 0.05), mirror[row * width + x]!, seen);
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

/**
 * For every row below the horizon, the row above the water that it reflects. An object that stands in row `foot` and is
 * visible in row `y` is reflected in row 2·foot − y; nearer objects are written last and take precedence.
 */
function mirrorRows(stage: Stage): Float32Array {
  const { raster, foot, horizonY } = stage;
  const { width, height } = raster;
  const rows = mirroredSky(stage);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const base = foot[y * width + x]!;
      if (base === WATER || base <= horizonY || base <= y) continue;
      // Each row extends to the next one, so that no gap remains between two rows of one slope.
      const target = Math.round(2 * base - y);
      for (let row = Math.max(target - 2, Math.ceil(base)); row <= Math.min(target, height - 1); row++) {
        rows[row * width + x] = y;
      }
    }
  }
  return rows;
}

/** The sky is reflected at the horizon. If a near object hides that part of it, the sky directly above is used. */
function mirroredSky({ raster, foot, horizonY }: Stage): Float32Array {
  const { width, height } = raster;
  const rows = new Float32Array(width * height);
  const sky = Math.fround(horizonY);
  for (let x = 0; x < width; x++) {
    let clear = 0;
    const clearRows: number[] = [];
    for (let y = 0; y < Math.min(horizonY, height); y++) {
      if (foot[y * width + x] === sky) clear = y;
      clearRows.push(clear);
    }
    for (let y = Math.floor(horizonY); y < height; y++) {
      // Below the image's own height of sky nothing is left to reflect; the reflection runs back, more slowly.
      const mirrored = 2 * horizonY - y;
      const row = mirrored < 0 ? -mirrored * 0.5 : mirrored;
      const nearest = clearRows[Math.min(Math.floor(row), clearRows.length - 1)] ?? row;
      rows[y * width + x] = nearest < Math.floor(row) ? nearest : row;
    }
  }
  return rows;
}

/** The reflection of a low sun or moon: every wave at the right angle flashes. */
function glitterOf(stage: Stage, roughness: number): (x: number, below: number, tilt: number) => number {
  const { scene, light, unit } = stage;
  const shown = light.night ? scene.moon : scene.sun && scene.time !== 'dusk';
  const clear =
    1 -
    clamp(
      scene.weather.clouds -
        0.5 +
        scene.weather.rain +
        scene.weather.snow +
        scene.weather.lightning +
        scene.weather.fog,
      0,
      1,
    );
  const byHour = { dawn: 1, day: 0.35, golden: 1, sunset: 1.2, dusk: 0, night: 0.45 }[scene.time];
  const strength = shown ? byHour * clear * clamp(roughness * 2, 0.25, 1) : 0;
  if (strength === 0) return () => 0;
  const source = sourcePosition(stage);
  // A source behind a mountain lights no water.
  const column = Math.round(clamp(source.x, 0, stage.raster.width - 1));
  const row = Math.round(clamp(source.y, 0, stage.raster.height - 1));
  if (stage.foot[row * stage.raster.width + column] !== Math.fround(stage.horizonY)) return () => 0;
  return (x, below, tilt) => {
    const half = unit * 0.035 + below * (0.1 + 0.22 * roughness);
    const aside = (x - source.x) / half;
    if (aside * aside > 6) return 0;
    return strength * Math.exp(-aside * aside) * smoothstep(0.12, 0.5, tilt) * 1.9;
  };
}

function deepColour({ light, scene }: Stage): Colour {
  const own = fromHex(scene.setting === 'island' || scene.setting === 'beach' ? '#0e7f96' : '#0b3b52');
  const sky = gradientColour(light.sky, 0.3);
  return scaleColour(mixColours(own, sky, 0.35), light.night ? 0.25 : 0.6);
}
