import { addHalo } from '../raster/around';
import { fromHex, fromHexes, mixColours, scaleColour } from '../raster/colour';
import { fillOutline, rectangle } from '../raster/fill-outline';
import { between, pick, type Random } from '../raster/random';
import { seenColour } from '../scene/light';
import { type Stage } from './stage';

const FACADES = fromHexes('#6f7f92', '#8c8a88', '#7b6f6a', '#55677c', '#a39a90', '#5c5f6b', '#8f7466');
const LAMPS = fromHexes('#ffd9a0', '#ffcf87', '#fff0d0', '#cfe4ff');
const NEON = fromHexes('#ff4fb4', '#36e0ff', '#b06bff', '#ffd166', '#4dffb8');
const DEPTHS = 4;

/** A skyline in four depths above the water that reflects it. */
export function paintCity(stage: Stage): void {
  const { raster, horizonY, light, unit, shore } = stage;
  const random = stage.random('city');
  const base = Math.ceil(horizonY);
  shore.fill(base);
  if (light.dark)
    addHalo(raster, raster.width / 2, base, unit * 0.85, mixColours(fromHex('#ff9d5c'), light.haze, 0.3), 0.22);
  for (let depth = 0; depth < DEPTHS; depth++) {
    const near = depth / (DEPTHS - 1);
    const centre = raster.width * between(random, 0.3, 0.7);
    for (let x = -unit * 0.05; x < raster.width;) {
      const width = Math.max(4, Math.round(unit * between(random, 0.035, 0.075) * (0.7 + 0.6 * near)));
      const downtown = Math.exp(-(((x + width / 2 - centre) / (raster.width * 0.42)) ** 2) * 2.2);
      const height = unit * (0.07 + (0.34 - 0.13 * near) * downtown * random() ** 0.7 + 0.1 * random());
      paintBuilding(stage, random, { left: Math.round(x), width, top: base - Math.round(height), base, near });
      x += width * between(random, 0.86, 1.25);
    }
  }
  fillOutline(
    raster,
    rectangle(0, base - unit * 0.008, raster.width, unit * 0.008),
    seenColour(light, [0.07, 0.06, 0.05], 0.3, 0),
  );
}

interface Building {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly base: number;
  /** 0 for the farthest, 1 for the nearest. */
  readonly near: number;
}

/** Two faces, one in the light, with rows of windows; about every third one is lit by night. */
function paintBuilding({ raster, light, scene, unit }: Stage, random: Random, building: Building): void {
  const { left, width, top, base, near } = building;
  const air = (1 - near) * (0.78 + 0.2 * scene.weather.fog) + 0.04 + 0.3 * scene.weather.fog;
  const albedo = pick(random, FACADES);
  const faces = [-1, 1].map((side) => seenColour(light, albedo, side === light.side ? 0.75 : 0.08, air));
  const panes = faces.map((face) => scaleColour(mixColours(face, light.haze, 0.15), 0.75));
  const corner = left + width * (light.side < 0 ? 0.68 : 0.32);
  const share = { dawn: 0.12, day: 0, golden: 0.04, sunset: 0.24, dusk: 0.42, night: 0.4 }[scene.time];
  const lamps = scene.moods.includes('neon') ? NEON : LAMPS;
  const [storey, bay] = [0.006 + 0.005 * near, 0.0055 + 0.0045 * near].map((size) =>
    Math.max(3, Math.round(unit * size)),
  );
  const columns = Math.ceil(width / bay!);
  for (let y = top; y < base; y += storey!) {
    const isBusy = random() < 0.33;
    const lit = Array.from({ length: columns }, () =>
      random() < share * (isBusy ? 1.9 : 0.6)
        ? scaleColour(pick(random, lamps), (light.dark ? 1.5 : 1.1) * (1 - air * 0.72) * between(random, 0.5, 1.3))
        : undefined,
    );
    for (let row = Math.max(0, y); row < Math.min(base, y + storey!); row++) {
      for (let x = Math.max(0, left); x < Math.min(raster.width, left + width); x++) {
        const face = x < corner ? 0 : 1;
        const isFrame = row - y < storey! * 0.42 || (x - left) % bay! < bay! * 0.36;
        const colour = isFrame ? faces[face]! : (lit[Math.floor((x - left) / bay!)] ?? panes[face]!);
        raster.data.set(colour, (row * raster.width + x) * 3);
      }
    }
  }
  if (random() < 0.25)
    fillOutline(raster, rectangle(left + width / 2 - 1, top - width * 0.6, 2, width * 0.6 + 1), faces[0]!);
}
