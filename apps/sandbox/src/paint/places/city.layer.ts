import { type Colour, fromHex, fromHexes, mixColours, scaleColour } from '../../raster/colour';
import { between, pick, type Random } from '../../raster/random';
import { fillOutline } from '../../raster/fill-outline';
import { seenColour } from '../seen-colour';
import { addHalo } from '../../raster/around';
import { randomFor, type Stage, WATER } from '../stage';

interface Building {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly albedo: Colour;
  readonly air: number;
  /** The height of a storey and the width of a bay, in pixels. */
  readonly storey: number;
  readonly bay: number;
  readonly salt: number;
}

const FACADES = fromHexes('#6f7f92', '#8c8a88', '#7b6f6a', '#55677c', '#a39a90', '#5c5f6b', '#8f7466');
const LAMPS = fromHexes('#ffd9a0', '#ffcf87', '#fff0d0', '#cfe4ff');
const NEON = fromHexes('#ff4fb4', '#36e0ff', '#b06bff', '#ffd166', '#4dffb8');
const LAYERS = 4;

/** A skyline in four depths above the water that reflects it. */
export function paintCity(stage: Stage): void {
  const { raster, horizonY, light, unit, foot } = stage;
  const random = randomFor(stage, 'city');
  foot.fill(WATER, Math.ceil(horizonY) * raster.width);
  if (light.dark)
    addHalo(raster, raster.width * 0.5, horizonY, unit * 0.85, mixColours(fromHex('#ff9d5c'), light.haze, 0.3), 0.22);
  for (let depth = 0; depth < LAYERS; depth++) {
    const near = depth / (LAYERS - 1);
    for (const building of skyline(stage, random, near)) paintBuilding(stage, building, random);
  }
  paintQuay(stage, random);
}

function skyline(stage: Stage, random: Random, near: number): Building[] {
  const { raster, unit, scene } = stage;
  const centre = raster.width * between(random, 0.3, 0.7);
  const buildings: Building[] = [];
  for (let x = -unit * 0.05; x < raster.width;) {
    const width = unit * between(random, 0.035, 0.075) * (0.7 + 0.6 * near);
    const away = (x + width / 2 - centre) / (raster.width * 0.42);
    const downtown = Math.exp(-away * away * 2.2);
    const height = unit * (0.07 + (0.34 - 0.13 * near) * downtown * random() ** 0.7 + 0.1 * random());
    buildings.push({
      left: Math.round(x),
      width: Math.max(4, Math.round(width)),
      height: Math.round(height * (random() < 0.07 ? 1.5 : 1)),
      albedo: pick(random, FACADES),
      air: (1 - near) * (0.78 + 0.2 * scene.weather.fog) + 0.04 + 0.3 * scene.weather.fog,
      storey: Math.max(3, Math.round(unit * (0.006 + 0.005 * near))),
      bay: Math.max(3, Math.round(unit * (0.0055 + 0.0045 * near))),
      salt: Math.floor(random() * 65536),
    });
    x += width * between(random, 0.86, 1.25);
  }
  return buildings;
}

function paintBuilding(stage: Stage, building: Building, random: Random): void {
  const { raster, horizonY, light } = stage;
  const base = Math.ceil(horizonY);
  const top = base - building.height;
  const corner = building.left + Math.round(building.width * (light.side < 0 ? 0.68 : 0.32));
  const roof = random();
  paintFacade(stage, building, top, corner);
  const shade = seenColour(light, building.albedo, 0.3, building.air);
  if (roof < 0.3) {
    const inset = Math.round(building.width * 0.2);
    const crown = {
      ...building,
      left: building.left + inset,
      width: building.width - 2 * inset,
      height: building.height + Math.round(building.height * 0.14),
    };
    paintFacade(stage, crown, base - crown.height, corner, top);
  } else if (roof < 0.52) {
    const middle = building.left + building.width / 2;
    fillOutline(
      raster,
      [
        [middle - 1.6, top],
        [middle - 0.4, top - building.height * 0.28],
        [middle + 0.4, top - building.height * 0.28],
        [middle + 1.6, top],
      ],
      shade,
    );
    if (light.dark) addHalo(raster, middle, top - building.height * 0.28, 5, fromHex('#ff5040'), 2.5);
  } else if (roof < 0.64) {
    fillOutline(
      raster,
      [
        [building.left, top + 1],
        [building.left, top - building.width * 0.35],
        [building.left + building.width, top + 1],
      ],
      shade,
    );
  }
}

function paintFacade(stage: Stage, building: Building, top: number, corner: number, until?: number): void {
  const { raster, horizonY, light, scene } = stage;
  const { width, data } = raster;
  const litLeft = light.side < 0;
  const faces = [
    seenColour(light, building.albedo, litLeft ? 0.75 : 0.08, building.air),
    seenColour(light, building.albedo, litLeft ? 0.08 : 0.75, building.air),
  ] as const;
  const glass = faces.map((face) => mixColours(face, light.haze, scene.time === 'day' ? 0.28 : 0.12)) as [
    Colour,
    Colour,
  ];
  const dim = glass.map((colour) => scaleColour(colour, 0.72)) as [Colour, Colour];
  const lamp = lampsOf(stage, building);
  for (let y = Math.max(0, top); y < Math.min(raster.height, until ?? Math.ceil(horizonY)); y++) {
    const storey = Math.floor((y - top) / building.storey);
    const sill = (y - top) % building.storey < building.storey * 0.42;
    for (let x = Math.max(0, building.left); x < Math.min(width, building.left + building.width); x++) {
      const face = x < corner ? 0 : 1;
      const bay = Math.floor((x - building.left) / building.bay);
      const frame = sill || (x - building.left) % building.bay < building.bay * 0.36;
      const colour = frame ? faces[face] : (lamp(storey, bay) ?? dim[face]);
      data.set(colour, (y * width + x) * 3);
    }
  }
}

/** Which windows are lit, and how: about every third one by night, none by day. */
function lampsOf({ scene, light }: Stage, building: Building): (storey: number, bay: number) => Colour | undefined {
  const share = { dawn: 0.12, day: 0, golden: 0.04, sunset: 0.24, dusk: 0.42, night: 0.4 }[scene.time];
  const lamps = scene.moods.includes('neon') ? NEON : LAMPS;
  const strength = (light.dark ? 1.5 : 1.1) * (1 - building.air * 0.72);
  return (storey, bay) => {
    const hash = Math.imul(storey * 92837111 + bay * 689287499 + building.salt * 283923481, 0x2c1b3c6d) >>> 0;
    // The light varies by storey more than by window, as in offices.
    const floorHash = Math.imul(storey * 48611 + building.salt * 7919, 0x45d9f3b) >>> 0;
    const lit = (hash >>> 8) % 1000 < share * 1000 * ((floorHash >>> 8) % 3 === 0 ? 1.9 : 0.6);
    if (!lit) return undefined;
    const colour = lamps[hash % lamps.length] ?? lamps[0];
    return scaleColour(colour, strength * (0.5 + ((hash >>> 20) % 100) / 110));
  };
}

/** The embankment, with its lamps. */
function paintQuay({ raster, horizonY, light, unit }: Stage, random: Random): void {
  const wall = seenColour(light, fromHex('#4a4742'), 0.3, 0.06);
  fillOutline(
    raster,
    [
      [0, horizonY - unit * 0.008],
      [raster.width, horizonY - unit * 0.008],
      [raster.width, horizonY + 1],
      [0, horizonY + 1],
    ],
    wall,
  );
  if (!light.dark) return;
  for (let x = unit * 0.02; x < raster.width; x += unit * between(random, 0.035, 0.06))
    addHalo(raster, x, horizonY - unit * 0.014, unit * 0.012, LAMPS[0], 3);
}
