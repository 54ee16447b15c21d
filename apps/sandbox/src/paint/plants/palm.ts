import { mixColours, scaleColour } from '../../raster/colour';
import { between, type Random } from '../../raster/random';
import { type Raster } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { ribbon } from '../../raster/shape';
import { lookAt, type PlantLook } from './plant-look';

/** A bowed trunk and a crown of drooping fronds, the far ones first. */
export function paintPalm(raster: Raster, look: PlantLook, random: Random): void {
  const { x, baseY, height } = look;
  const bow = between(random, -0.32, 0.32) * height;
  const trunk = Array.from({ length: 9 }, (_, i) => {
    const t = i / 8;
    return [x + bow * t * t, baseY - height * 0.8 * t] as const;
  });
  const bark = mixColours(lookAt(look, 0.35), [0.09, 0.06, 0.04], 0.65);
  fillOutline(
    raster,
    ribbon(trunk, (t) => height * (0.034 - 0.016 * t) + 0.5),
    bark,
  );
  const fronds = 13;
  for (let i = 0; i < fronds; i++) {
    const angle = Math.PI * (-0.12 + (1.24 * i) / (fronds - 1)) + between(random, -0.08, 0.08);
    const bright = 0.25 + 0.5 * Math.max(0, Math.cos(angle) * look.lightSide) + 0.25 * Math.sin(angle);
    paintFrond(
      raster,
      { x: x + bow, y: baseY - height * 0.8, angle, length: height * between(random, 0.3, 0.42) },
      lookAt(look, bright),
      random,
    );
  }
}

interface Frond {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly length: number;
}

function paintFrond(raster: Raster, frond: Frond, colour: readonly [number, number, number], random: Random): void {
  const spine: [number, number][] = [];
  const droop = between(random, 0.55, 0.95);
  for (let i = 0; i <= 10; i++) {
    const t = i / 10;
    spine.push([
      frond.x + Math.cos(frond.angle) * frond.length * t,
      frond.y -
        Math.sin(frond.angle) * frond.length * t * 0.75 +
        frond.length * droop * t * t * (0.5 + 0.5 * Math.abs(Math.cos(frond.angle))),
    ]);
  }
  fillOutline(
    raster,
    ribbon(spine, (t) => frond.length * 0.02 * (1 - t) + 0.5),
    scaleColour(colour, 0.8),
  );
  // Leaflets hang from both sides of the spine, dense enough to close up where the frond is seen flat.
  for (let i = 1; i < spine.length; i++) {
    const [px, py] = spine[i - 1]!;
    const [qx, qy] = spine[i]!;
    for (const s of [0.25, 0.75]) {
      const x = px + (qx - px) * s;
      const y = py + (qy - py) * s;
      const hang =
        frond.length * between(random, 0.2, 0.3) * Math.sin(Math.PI * ((i - 1 + s) / spine.length) ** 0.6) + 1;
      const wide = Math.hypot(qx - px, qy - py) * 0.75;
      const along = (qx - px) * between(random, 0.5, 1.3);
      fillOutline(
        raster,
        [
          [x - wide * 0.5, y - 0.4],
          [x + wide * 0.5, y - 0.4],
          [x + along, y + hang],
        ],
        scaleColour(colour, between(random, 0.75, 1.2)),
      );
    }
  }
}
