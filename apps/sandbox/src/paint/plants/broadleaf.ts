import { mixColours } from '../../raster/colour';
import { clamp } from '../../raster/curve';
import { between, type Random } from '../../raster/random';
import { blendAt, type Raster } from '../../raster/raster';
import { fillOutline } from '../../raster/fill-outline';
import { ribbon } from '../../raster/shape';
import { lookAt, type PlantLook } from './plant-look';

interface Clump {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** A round-crowned tree: clumps of leaves from back to front, each lit from the source's side and from above. */
export function paintBroadleaf(raster: Raster, look: PlantLook, random: Random): void {
  const { x, baseY, height } = look;
  const wood = mixColours(look.shaded, [0.03, 0.02, 0.015], 0.5);
  const lean = between(random, -0.05, 0.05) * height;
  const trunk = [
    [x, baseY],
    [x + lean * 0.4, baseY - height * 0.3],
    [x + lean, baseY - height * 0.62],
  ] as const;
  fillOutline(
    raster,
    ribbon(trunk, (t) => height * (0.05 - 0.028 * t) + 0.4),
    wood,
  );
  const crown = {
    x: x + lean,
    y: baseY - height * 0.62,
    wide: height * between(random, 0.3, 0.38),
    tall: height * 0.36,
  };
  for (const clump of crownClumps(crown, height, random)) {
    const up = (crown.y - clump.y) / crown.tall;
    const aside = ((clump.x - crown.x) / crown.wide) * look.lightSide;
    paintClump(raster, clump, look, clamp(0.36 + up * 0.3 + aside * 0.28, 0, 1), random);
  }
}

function crownClumps(
  crown: { x: number; y: number; wide: number; tall: number },
  height: number,
  random: Random,
): Clump[] {
  // A large tree has more and relatively smaller clumps: leaves do not grow with the image.
  const fineness = clamp((50 / height) ** 0.45, 0.36, 1);
  const count = Math.round(clamp(14 / fineness ** 2, 7, 110));
  const clumps = Array.from({ length: count }, () => {
    const angle = random() * Math.PI * 2;
    const out = Math.sqrt(random()) * 0.82;
    return {
      x: crown.x + Math.cos(angle) * crown.wide * out,
      y: crown.y + Math.sin(angle) * crown.tall * out,
      radius: height * between(random, 0.1, 0.17) * fineness ** 0.8,
    };
  });
  // Lower clumps are more shaded and are covered by those above them.
  return clumps.sort((a, b) => b.y - a.y);
}

/** A ball of leaves with leaf-sized notches at its edge. */
function paintClump(
  { width, height, data }: Raster,
  clump: Clump,
  look: PlantLook,
  bright: number,
  random: Random,
): void {
  const bumps = Array.from({ length: 12 }, () => between(random, 0.72, 1.12));
  const salt = Math.floor(random() * 1024);
  for (
    let y = Math.max(0, Math.floor(clump.y - clump.radius * 1.2));
    y < Math.min(height, clump.y + clump.radius * 1.2);
    y++
  ) {
    for (
      let x = Math.max(0, Math.floor(clump.x - clump.radius * 1.2));
      x < Math.min(width, clump.x + clump.radius * 1.2);
      x++
    ) {
      const dx = (x + 0.5 - clump.x) / clump.radius;
      const dy = (y + 0.5 - clump.y) / clump.radius;
      const turn = ((Math.atan2(dy, dx) / (Math.PI * 2)) * 12 + 12) % 12;
      const from = bumps[Math.floor(turn)]!;
      const edge = from + (bumps[(Math.floor(turn) + 1) % 12]! - from) * (turn % 1);
      const alpha = clamp((edge - Math.hypot(dx, dy)) * clump.radius + 0.5, 0, 1);
      if (alpha <= 0) continue;
      const leaf = (((x * 73856093) ^ (y * 19349663) ^ (salt * 83492791)) >>> 8) % 97;
      const light = clamp(bright - dy * 0.26 + dx * look.lightSide * 0.2 + (leaf / 97 - 0.5) * 0.22, 0, 1);
      blendAt(data, (y * width + x) * 3, lookAt(look, light), alpha);
    }
  }
}
