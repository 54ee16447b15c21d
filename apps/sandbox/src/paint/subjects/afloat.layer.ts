import { airAt } from '../../scene/light';
import { type Subject, type SubjectKind } from '../../scene/scene';
import { createPen, type Placement } from '../pen';
import { randomFor, type Stage, WATER } from '../stage';
import { paintBridge } from './bridge.subject';
import { findWaterSite } from './sites';
import { type SubjectPainter } from './subject';
import { paintSailboat, paintShip } from './vessels.subject';

interface Vessel {
  readonly paint: SubjectPainter;
  /** Its height at the horizon, as a share of the image's `unit`, and its growth for each pixel nearer. */
  readonly size: number;
  readonly growth: number;
}

const VESSELS: Partial<Record<SubjectKind, Vessel>> = {
  sailboat: { paint: paintSailboat, size: 0.045, growth: 1.2 },
  ship: { paint: paintShip, size: 0.07, growth: 1.8 },
};
/** A bridge over open water is far away; over a river it stands on the banks instead. */
const FAR_BRIDGE: Vessel = { paint: paintBridge, size: 0.09, growth: 0 };

export function paintAfloat(stage: Stage): void {
  for (const subject of stage.scene.subjects) {
    const bridge = subject.kind === 'bridge' && stage.scene.setting !== 'river' ? FAR_BRIDGE : undefined;
    const vessel = VESSELS[subject.kind] ?? bridge;
    if (vessel) paintVessel(stage, vessel, subject);
  }
}

function paintVessel(stage: Stage, vessel: Vessel, subject: Subject): void {
  const { raster, foot, light, unit, horizonY, scene } = stage;
  const random = randomFor(stage, subject.kind);
  const sizeAt = (row: number): number => unit * vessel.size + (row - horizonY) * vessel.growth;
  const site = findWaterSite(stage, random, sizeAt);
  if (!site) return;
  const place: Placement = {
    x: site.column,
    baseY: site.row,
    size: sizeAt(site.row),
    air: airAt(light, 2.5) * 0.6,
    mirrored: random() < 0.5,
  };
  // Rough water breaks a reflection up until nothing is left of it.
  const clarity = 0.5 * (1 - 0.8 * scene.weather.wind);
  const reflection = (x: number, y: number): number => (foot[y * raster.width + x] === WATER ? clarity : 0);
  const mirror = createPen(raster, light, { ...place, reflection });
  const pen = createPen(raster, light, place);
  // The same random series twice, so that the reflection matches the vessel.
  vessel.paint(mirror, subject, randomFor(stage, `${subject.kind} itself`));
  vessel.paint(pen, subject, randomFor(stage, `${subject.kind} itself`));
  pen.addLights();
}
