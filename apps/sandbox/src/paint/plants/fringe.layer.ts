import { type Colour, fromHex, scaleColour } from '../../raster/colour';
import { between, type Random } from '../../raster/random';
import { fillOutline } from '../../raster/fill-outline';
import { circle } from '../../raster/shape';
import { type Season } from '../../scene/scene';
import { isSnowy } from '../landscapes/soil';
import { seenColour } from '../seen-colour';
import { randomFor, type Stage } from '../stage';

const BLADES: Readonly<Record<Season, Colour>> = {
  spring: fromHex('#6d9440'),
  summer: fromHex('#587a34'),
  autumn: fromHex('#9a6a2c'),
  winter: fromHex('#8d9aa6'),
};
const RIME = fromHex('#c3ced9');

/** Blades of grass along the lower edge, nearest of all, with flowers among them if there are any. */
export function paintFringe(stage: Stage, flower?: Colour): void {
  const { raster, light, unit, scene } = stage;
  if (!scene.trees) return;
  const random = randomFor(stage, 'fringe');
  const own = isSnowy(stage) ? RIME : BLADES[scene.season];
  const count = Math.round(260 * (raster.width / unit));
  for (let i = 0; i < count; i++) {
    const depth = i / count;
    const x = random() * raster.width;
    const height = unit * between(random, 0.025, 0.07) * (0.7 + 0.6 * depth);
    const lean = between(random, -0.55, 0.55) * height;
    const colour = seenColour(light, scaleColour(own, between(random, 0.45, 1)), between(random, 0.1, 0.5), 0);
    paintBlade(stage, x, height, lean, colour);
    if (flower && random() < 0.2) paintFlower(stage, random, x + lean, raster.height - height, flower);
  }
}

function paintBlade({ raster, unit }: Stage, x: number, height: number, lean: number, colour: Colour): void {
  const baseY = raster.height + unit * 0.008;
  const half = unit * 0.0032;
  fillOutline(
    raster,
    [
      [x - half, baseY],
      [x + lean * 0.4 - half * 0.6, baseY - height * 0.6],
      [x + lean, baseY - height],
      [x + lean * 0.45 + half * 0.6, baseY - height * 0.56],
      [x + half, baseY],
    ],
    colour,
  );
}

function paintFlower({ raster, light, unit }: Stage, random: Random, x: number, y: number, flower: Colour): void {
  const size = unit * between(random, 0.0055, 0.0105);
  for (let petal = 0; petal < 5; petal++) {
    const angle = (petal / 5) * Math.PI * 2 + random() * 0.4;
    const colour = seenColour(light, flower, between(random, 0.35, 0.85), 0);
    fillOutline(
      raster,
      circle(x + Math.cos(angle) * size * 0.6, y + Math.sin(angle) * size * 0.45, size * 0.62, size * 0.5),
      colour,
    );
  }
  fillOutline(raster, circle(x, y, size * 0.28), seenColour(light, fromHex('#4a3418'), 0.4, 0));
}
