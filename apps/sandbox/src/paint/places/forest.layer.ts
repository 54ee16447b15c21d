import { type Colour, fromHex, mixColours, scaleColour } from '../../raster/colour';
import { clamp, mix, smoothstep } from '../../raster/curve';
import { fractal, type Noise } from '../../raster/noise';
import { between, type Random } from '../../raster/random';
import { addAt } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { type Outline, ribbon } from '../../raster/shape';
import { gradientColour } from '../../raster/gradient';
import { paintConifer } from '../plants/conifer';
import { paintFringe } from '../plants/fringe.layer';
import { leafColour } from '../plants/planting';
import { isSnowy } from '../landscapes/soil';
import { seenColour } from '../seen-colour';
import { sourcePosition } from '../sky/backdrop.layer';
import { noiseFor, randomFor, type Stage } from '../stage';

const LAYERS = 7;
const MOSS = fromHex('#3d4a26');
const LITTER = fromHex('#7a5328');
const BARK = fromHex('#6b5a4a');
const SNOW = fromHex('#e8eef6');

/** Rows of trees behind each other, paler with every row, with light falling through. */
export function paintForest(stage: Stage): void {
  const random = randomFor(stage, 'forest');
  const noise = noiseFor(stage, 'forest');
  paintGlade(stage);
  for (let layer = 0; layer < LAYERS; layer++) {
    const near = layer / (LAYERS - 1);
    paintRow(stage, random, noise, near);
    if (layer === LAYERS - 3) paintShafts(stage, noise);
  }
  paintFringe(stage);
}

/** The bright haze in the depth of the forest. */
function paintGlade({ raster, light, horizonY, unit, scene }: Stage): void {
  const { width, height, data } = raster;
  const deep = gradientColour(light.sky, 0.55);
  const glow = light.night ? scaleColour(light.haze, 1.5) : mixColours(light.haze, light.sourceColour, 0.45);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = Math.hypot((x - light.sourceX * width) / (unit * 0.9), (y - horizonY * 0.72) / (unit * 0.7));
      const bright = Math.exp(-away * away * 1.5) * (1 - 0.5 * scene.weather.rain);
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++)
        data[offset + c] = mix(data[offset + c]! * 0.35 + deep[c]! * 0.4, glow[c]! * 1.12, bright * 0.9);
    }
  }
}

function paintRow(stage: Stage, random: Random, noise: Noise, near: number): void {
  const { raster, unit, horizonY, scene } = stage;
  const air = clamp((1 - near) ** 1.2 * 0.9 + scene.weather.fog * 0.22 * (1 - near * 0.9), 0, 0.95);
  const groundAt = (x: number): number =>
    horizonY + unit * (0.01 + near ** 1.5 * 0.27) - noise((x / unit) * 2.2 + near * 31, near * 9) * unit * 0.045;
  paintFloor(stage, noise, groundAt, near, air);
  const leafy = scene.season === 'autumn' || scene.season === 'spring';
  const count = Math.round(mix(34, leafy ? 4 : 7, near ** 0.7) * (raster.width / unit));
  const gap = raster.width * between(random, 0.38, 0.62);
  for (let i = 0; i < count; i++) {
    const x = ((i + between(random, 0.05, 0.95)) / count) * raster.width * 1.16 - raster.width * 0.08;
    // The nearest rows leave a gap through which the forest is visible.
    if (near > 0.5 && Math.abs(x - gap) < raster.width * 0.24 * near) continue;
    const tree = { x, baseY: groundAt(x) + 2, near, air };
    if (leafy) paintLeafyTree(stage, random, tree);
    else paintSpruce(stage, random, tree);
  }
}

interface ForestTree {
  readonly x: number;
  readonly baseY: number;
  readonly near: number;
  readonly air: number;
}

function paintSpruce(stage: Stage, random: Random, { x, baseY, near, air }: ForestTree): void {
  const { raster, light, unit } = stage;
  const own = leafColour(stage, 'conifer', random);
  const look = {
    x,
    baseY,
    height: unit * mix(0.22, 0.78, near) * between(random, 0.62, 1.15),
    lit: seenColour(light, own, mix(0.8, 0.4, near), air),
    shaded: seenColour(light, scaleColour(own, mix(0.6, 0.3, near)), 0.03, air),
    lightSide: light.side,
  };
  paintConifer(raster, look, random);
}

/** A trunk that leaves the image at the top, and its share of the canopy. */
function paintLeafyTree(stage: Stage, random: Random, { x, baseY, near, air }: ForestTree): void {
  const { raster, light, unit } = stage;
  const lightSide = light.side;
  const width = unit * mix(0.006, 0.042, near ** 1.3) * between(random, 0.7, 1.25);
  const bend = between(random, -0.05, 0.05) * unit;
  const topY = Math.min(baseY - unit * 0.75, -unit * 0.05);
  const at = (t: number): readonly [number, number] => [x + bend * Math.sin(t * 2.6), mix(baseY, topY, t)];
  const trunk = Array.from({ length: 12 }, (_, i) => at(i / 11));
  const bark = (px: number): Colour =>
    seenColour(light, BARK, clamp(0.22 + (0.6 * (px - x) * lightSide) / width, 0.01, 0.8) * mix(1, 0.6, near), air);
  fillOutline(
    raster,
    ribbon(trunk, (t) => width * (t < 0.12 ? 1.5 - t * 4 : 1 - 0.45 * t)),
    bark,
  );
  for (let i = 0; i < 4; i++) {
    const [fromX, fromY] = at(between(random, 0.3, 0.75));
    const side = random() < 0.5 ? -1 : 1;
    const reach = unit * between(random, 0.08, 0.2) * (0.5 + near);
    fillOutline(
      raster,
      ribbon(
        [
          [fromX, fromY],
          [fromX + side * reach * 0.5, fromY - reach * 0.42],
          [fromX + side * reach, fromY - reach * 0.62],
        ],
        (t) => width * 0.34 * (1 - t * 0.8) + 0.4,
      ),
      bark(fromX),
    );
  }
  paintLeaves(stage, random, x, near, air);
}

/** Many small dabs, densest at the top of the image. */
function paintLeaves(stage: Stage, random: Random, x: number, near: number, air: number): void {
  const { raster, light, unit, horizonY } = stage;
  const lightX = light.sourceX * raster.width;
  for (let clump = 0; clump < 9; clump++) {
    const own = leafColour(stage, 'broadleaf', random);
    const cx = x + between(random, -0.2, 0.2) * unit;
    const cy = horizonY * between(random, -0.12, 0.55 + 0.25 * (1 - near)) * (0.6 + 0.4 * random());
    const glow = Math.exp((-Math.abs(cx - lightX) / unit) * 2.2);
    for (let i = 0; i < 34; i++) {
      const away = Math.sqrt(random()) * unit * mix(0.035, 0.1, near);
      const angle = random() * Math.PI * 2;
      const size = unit * mix(0.0028, 0.0075, near) * between(random, 0.6, 1.3);
      const colour = seenColour(light, own, between(random, 0.1, 0.5) + glow * 0.55, air);
      fillOutline(
        raster,
        leaf(cx + Math.cos(angle) * away * 1.25, cy + Math.sin(angle) * away * 0.8, size, random() * 6.3),
        colour,
        0.92,
      );
    }
  }
}

function leaf(x: number, y: number, size: number, angle: number): Outline {
  const [sin, cos] = [Math.sin(angle) * size, Math.cos(angle) * size];
  return [
    [x - cos, y - sin],
    [x - sin * 0.55, y + cos * 0.55],
    [x + cos, y + sin],
    [x + sin * 0.55, y - cos * 0.55],
  ];
}

function paintFloor(stage: Stage, noise: Noise, groundAt: (x: number) => number, near: number, air: number): void {
  const { raster, light, scene, unit } = stage;
  const { width, height, data } = raster;
  const soil: Colour = isSnowy(stage) ? SNOW : scene.season === 'autumn' ? LITTER : MOSS;
  const colour = seenColour(light, soil, mix(0.6, 0.25, near), air);
  const dark = scaleColour(colour, mix(0.85, 0.4, near));
  // Farther down the next row's floor covers it.
  const reach = near < 1 ? unit * 0.18 : height;
  for (let x = 0; x < width; x++) {
    const top = groundAt(x);
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, top + reach); y++) {
      const alpha = clamp(y + 1 - top, 0, 1);
      const patch = smoothstep(-0.6, 0.6, fractal(noise, (x / unit) * 9, (y / unit) * 26, 3));
      const offset = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[offset + c] = mix(data[offset + c]!, mix(dark[c]!, colour[c]!, patch), alpha);
    }
  }
}

/** Sunbeams that fan out from above the image, soft at their edges. */
function paintShafts(stage: Stage, noise: Noise): void {
  const { raster, light, scene, unit } = stage;
  if (light.dark || !scene.sun || scene.weather.rain > 0 || scene.weather.snow > 0.5) return;
  const { width, height, data } = raster;
  const source = { x: sourcePosition(stage).x, y: -unit * 0.3 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const turn = (x - source.x) / (y - source.y);
      const fade = smoothstep(1.45, 0.3, Math.hypot(x - source.x, y - source.y) / unit) * Math.exp(-turn * turn * 3);
      if (fade < 0.01) continue;
      const ray = smoothstep(-0.05, 0.75, noise(turn * 9, 3) + noise(turn * 23, 8) * 0.35);
      addAt(data, (y * width + x) * 3, light.sourceColour, ray * fade * 0.3);
    }
  }
}
