import { between } from '../../raster/random';
import { type Subject } from '../../scene/scene';
import { createPen } from '../pen';
import { randomFor, type Stage } from '../stage';
import { paintBalloon, paintBirds } from './aloft.subject';

/** The far balloons, and last the main one: offset from the middle, down the sky, size, haze. */
const BALLOONS = [
  [-0.06, 0.62, 0.07, 0.4],
  [0.36, 0.72, 0.05, 0.5],
  [-0.26, 0.32, 0.11, 0.22],
  [0.14, 0.56, 0.27, 0.03],
] as const;

export function paintAloft(stage: Stage): void {
  for (const subject of stage.scene.subjects) {
    if (subject.kind === 'birds') paintFlock(stage, subject);
    if (subject.kind === 'balloon') paintBalloons(stage, subject);
  }
}

function paintFlock(stage: Stage, subject: Subject): void {
  const { raster, light, unit, horizonY } = stage;
  const random = randomFor(stage, subject.kind);
  const x = raster.width * between(random, 0.25, 0.75);
  const baseY = horizonY * between(random, 0.25, 0.5);
  paintBirds(createPen(raster, light, { x, baseY, size: unit * 0.22, air: 0.1 }), subject, random);
}

function paintBalloons(stage: Stage, subject: Subject): void {
  const { raster, light, unit, horizonY } = stage;
  const random = randomFor(stage, subject.kind);
  const side = -light.side;
  BALLOONS.forEach(([aside, down, size, air], i) => {
    const x = raster.width * (0.5 + side * aside + between(random, -0.04, 0.04));
    const baseY = horizonY * (down + between(random, -0.05, 0.05)) + (unit * size) / 2;
    const pen = createPen(raster, light, { x, baseY, size: unit * size, air });
    const isMain = i === BALLOONS.length - 1;
    paintBalloon(pen, isMain ? subject : { kind: 'balloon' }, random);
    pen.addLights();
  });
}
