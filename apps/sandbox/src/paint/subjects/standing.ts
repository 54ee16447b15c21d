import { type Random } from '../../raster/random';
import { airAt } from '../../scene/light';
import { type Subject, type SubjectKind } from '../../scene/scene';
import { type Prop } from '../ground/ground.layer';
import { groundAt, type Survey } from '../ground/survey';
import { isSnowy } from '../landscapes/soil';
import { createPen } from '../pen';
import { paintBroadleaf } from '../plants/broadleaf';
import { paintPalm } from '../plants/palm';
import { leafColour } from '../plants/planting';
import { seenColour } from '../seen-colour';
import { randomFor, type Stage } from '../stage';
import { BRIDGE_HALF_LENGTH, paintBridge } from './bridge.subject';
import { paintCabin, paintCastle, paintTower, paintWindmill } from './buildings.subject';
import { paintLighthouse } from './lighthouse.subject';
import { findCrossing, findGroundSite, type Site } from './sites';
import { type SubjectPainter } from './subject';

interface Building {
  readonly paint: SubjectPainter;
  /** Its height in the middle distance, as a share of the image's `unit`. */
  readonly size: number;
}

const BUILDINGS: Partial<Record<SubjectKind, Building>> = {
  lighthouse: { paint: paintLighthouse, size: 0.3 },
  cabin: { paint: paintCabin, size: 0.105 },
  castle: { paint: paintCastle, size: 0.26 },
  tower: { paint: paintTower, size: 0.2 },
  windmill: { paint: paintWindmill, size: 0.22 },
};
const LONE_TREE_SIZE = 0.27;

/** The subjects that stand on the ground. A subject without a suitable place is omitted. */
export function standingSubjects(stage: Stage, survey: Survey): Prop[] {
  return stage.scene.subjects.flatMap((subject) => {
    const random = randomFor(stage, subject.kind);
    if (subject.kind === 'bridge') return crossing(stage, survey, subject, random);
    const building = BUILDINGS[subject.kind];
    const isTree = subject.kind === 'tree' || subject.kind === 'palm';
    if (!building && !isTree) return [];
    const size = building?.size ?? LONE_TREE_SIZE;
    const site = findGroundSite(stage, survey, random, (z) => stage.unit * size * nearness(z) * 0.4);
    if (!site) return [];
    if (building) return [buildingProp(stage, survey, site, building, subject, random)];
    return [loneTreeProp(stage, survey, site, subject.kind === 'palm', random)];
  });
}

function buildingProp(
  stage: Stage,
  survey: Survey,
  site: Site,
  building: Building,
  subject: Subject,
  random: Random,
): Prop {
  const size = stage.unit * building.size * nearness(site.z);
  const pen = createPen(stage.raster, stage.light, {
    x: site.column,
    baseY: site.row + size * 0.02,
    size,
    air: airBefore(stage, survey, site),
    mirrored: fallsToTheRight(survey, site, size * 0.3),
    snowy: isSnowy(stage),
  });
  const paint = (): void => {
    paintSolid(stage, survey, site, size, () => building.paint(pen, subject, random));
    pen.addLights();
  };
  return { z: site.z, paint };
}

function loneTreeProp(stage: Stage, survey: Survey, site: Site, isPalm: boolean, random: Random): Prop {
  const { raster, light, unit } = stage;
  const air = airBefore(stage, survey, site);
  const own = leafColour(stage, isPalm ? 'palm' : 'broadleaf', random);
  const height = unit * LONE_TREE_SIZE * nearness(site.z);
  const look = {
    x: site.column,
    baseY: site.row + 2,
    height,
    lit: seenColour(light, own, 0.8, air),
    shaded: seenColour(light, own, 0, air),
    lightSide: light.side,
  };
  const paintTree = isPalm ? paintPalm : paintBroadleaf;
  return { z: site.z, paint: () => paintSolid(stage, survey, site, height, () => paintTree(raster, look, random)) };
}

/** A bridge stands in the river, so that the water reflects it like everything else on the ground. */
function crossing(stage: Stage, survey: Survey, subject: Subject, random: Random): Prop[] {
  const site = findCrossing(survey);
  if (!site) return [];
  const size = Math.max((site.width * 1.5) / (2 * BRIDGE_HALF_LENGTH), stage.unit * 0.045);
  const air = airBefore(stage, survey, site);
  const pen = createPen(stage.raster, stage.light, { x: site.column, baseY: site.row, size, air });
  const reach = size * BRIDGE_HALF_LENGTH;
  return [{ z: site.z, paint: () => paintSolid(stage, survey, site, reach, () => paintBridge(pen, subject, random)) }];
}

/** Near objects are larger, but never so large that they fill the image, nor so small that they vanish. */
function nearness(z: number): number {
  return Math.min(1.35, Math.max(0.62, 3.2 / z));
}

/** An annex of a building is on its right; on a slope or at a cliff it must be on the higher side. */
function fallsToTheRight(survey: Survey, { column, z }: Site, reach: number): boolean {
  return groundAt(survey, column + reach, z).height < groundAt(survey, column - reach, z).height;
}

/** A little less haze than for the ground, so that the main subject stands out. */
function airBefore({ light }: Stage, { terrain }: Survey, { z, height }: Site): number {
  return airAt(light, (z - terrain.near) * (1 + terrain.mist * Math.exp(-height * 1.6))) * 0.8;
}

/** Paints an object and records, for each changed pixel, where the object stands, for the reflection in water. */
function paintSolid({ raster, foot }: Stage, survey: Survey, site: Site, reach: number, paint: () => void): void {
  const left = Math.max(0, Math.round(site.column - reach));
  const right = Math.min(raster.width, Math.round(site.column + reach));
  const top = Math.max(0, Math.round(site.row - reach * 1.1));
  const bottom = Math.min(raster.height, Math.round(site.row));
  const before = raster.data.slice(top * raster.width * 3, bottom * raster.width * 3);
  paint();
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const pixel = y * raster.width + x;
      const changed = raster.data[pixel * 3] !== before[(pixel - top * raster.width) * 3];
      if (changed) foot[pixel] = survey.rowOf(0, site.z);
    }
  }
}
