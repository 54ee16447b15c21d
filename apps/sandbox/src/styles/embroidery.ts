import { clamp, smoothstep } from '../raster/curve';
import { createNoise, fractal, type Noise } from '../raster/noise';
import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { offsetAt, redrawn, tonesOf, unitOf } from './tone';

/** The direction of the stitches: each tone is filled in its own direction. */
const ANGLES = [0.3, 1.15, -0.45, 0.75, -0.95, 1.6].map((angle) => ({ cos: Math.cos(angle), sin: Math.sin(angle) }));
const LINEN = [226, 214, 190] as const;

/** Satin stitches of shiny thread on linen, in a different direction for each tone. */
export async function embroidery(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const { width, height } = image;
  const unit = unitOf(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const thread = Math.max(2.2, unit / 230) * boldness;
  const stitch = thread * 9;
  const design = await fromSharp(
    toSharp(image)
      .median(Math.max(3, Math.round(unit / 170) | 1))
      .modulate({ saturation: 1.4 }),
  );
  const fills = tonesOf(
    await fromSharp(
      toSharp(image)
        .normalise()
        .blur(Math.max(0.8, unit / 130)),
    ),
  );
  return redrawn(image, (into, offset, x, y) => {
    const inward = Math.min(x, y, width - 1 - x, height - 1 - y) / unit;
    if (inward < 0.03 + ragged(noise, x / unit, y / unit)) return into.set(linenAt(x, y, thread, noise), offset);
    const fill = Math.floor(clamp(fills[offset / 3]!, 0, 0.999) * ANGLES.length);
    const { cos, sin } = ANGLES[fill]!;
    const across = (y * cos - x * sin) / thread;
    const row = Math.floor(across);
    const shift = ((row * 0.382) % 1) * stitch + noise(row * 3.7, fill) * stitch * 0.2;
    const along = (x * cos + y * sin + shift) / stitch;
    const begun = Math.floor(along);
    // A whole stitch has one thread: its colour is taken from its middle.
    const middleAlong = (begun + 0.5) * stitch - shift;
    const middleAcross = (row + 0.5) * thread;
    const from = offsetAt(image, middleAlong * cos - middleAcross * sin, middleAlong * sin + middleAcross * cos);
    const light = sheen(across - row, along - begun, noise(row * 1.3 + begun * 7.1, fill * 5 + begun));
    for (let c = 0; c < 3; c++) into[offset + c] = design.data[from + c]! * light.body + light.gloss;
  });
}

/** A thread is round, shines along its upper side, and sinks into the cloth at both ends of a stitch. */
function sheen(across: number, along: number, twist: number): { body: number; gloss: number } {
  const round = Math.sin(clamp(across, 0, 1) * Math.PI);
  const end = smoothstep(0, 0.13, along) * smoothstep(1, 0.87, along);
  const ply = Math.sin((along * 9 + across * 1.4) * Math.PI * 2) * 0.05;
  return {
    body: (0.42 + round * 0.66 + ply) * (0.66 + end * 0.38) * (1 + twist * 0.1),
    gloss: smoothstep(0.55, 1, round) * smoothstep(0.2, 0.5, along) * smoothstep(0.8, 0.5, along) * 26,
  };
}

function ragged(noise: Noise, u: number, v: number): number {
  return fractal(noise, u * 30, v * 30, 2) * 0.006;
}

function linenAt(x: number, y: number, thread: number, noise: Noise): [number, number, number] {
  const weave = Math.sin((x / thread) * Math.PI) * Math.sin((y / thread) * Math.PI);
  const slub = noise((x / thread) * 0.1, y / thread) * 0.06 + noise(x / thread + 40, (y / thread) * 0.1) * 0.06;
  const light = 0.92 + weave * 0.09 + slub;
  return [LINEN[0] * light, LINEN[1] * light, LINEN[2] * light];
}
