import { fromHex, scaleColour } from '../../raster/colour';
import { between, type Random } from '../../raster/random';
import { fillOutline } from '../../raster/fill-outline';
import { ribbon } from '../../raster/shape';
import { addHalo } from '../../raster/around';
import { randomFor, type Stage } from '../stage';

const BOLT = scaleColour(fromHex('#eef0ff'), 7);
const GLOW = fromHex('#a9b4ff');

/** One bolt with branches, and the clouds lit up around it. */
export function paintLightning(stage: Stage): void {
  const { raster, scene, horizonY, unit } = stage;
  if (scene.weather.lightning <= 0) return;
  const random = randomFor(stage, 'lightning');
  const x = raster.width * between(random, 0.25, 0.75);
  const y = horizonY * between(random, 0.04, 0.14);
  addHalo(raster, x, y, unit * 0.55, GLOW, 0.5);
  paintBolt(stage, random, { x, y, endY: horizonY * 1.01, width: unit * 0.0055, branches: 3 });
}

interface Bolt {
  readonly x: number;
  readonly y: number;
  readonly endY: number;
  readonly width: number;
  readonly branches: number;
}

function paintBolt(stage: Stage, random: Random, bolt: Bolt): void {
  const { raster, unit } = stage;
  const steps = 26;
  const points: [number, number][] = [[bolt.x, bolt.y]];
  let x = bolt.x;
  let drift = between(random, -0.4, 0.4);
  for (let i = 1; i <= steps; i++) {
    const rise = (bolt.endY - bolt.y) / steps;
    drift = drift * 0.75 + between(random, -0.55, 0.55);
    x += drift * rise + between(random, -0.5, 0.5) * rise;
    points.push([x, bolt.y + rise * i]);
  }
  fillOutline(
    raster,
    ribbon(points, (t) => bolt.width * (1 - 0.6 * t) + 0.5),
    BOLT,
  );
  for (const [px, py] of points) addHalo(raster, px, py, unit * 0.05, GLOW, 0.1);
  for (let branch = 0; branch < bolt.branches; branch++) {
    const start = points[Math.floor(between(random, 4, steps * 0.7))]!;
    const endY = start[1] + (bolt.endY - start[1]) * between(random, 0.3, 0.6);
    paintBolt(stage, random, { x: start[0], y: start[1], endY, width: bolt.width * 0.45, branches: 0 });
  }
}
