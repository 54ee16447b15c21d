import { clamp, smoothstep } from '../raster/curve';
import { createNoise, fractal, type Noise } from '../raster/noise';
import { type RgbImage, fromSharp, toSharp } from '../raster/rgb-image';
import { type Random } from '../raster/random';
import { offsetAt, redrawn, unitOf } from './tone';

const LEAD = [24, 22, 26] as const;

interface Pane {
  x: number;
  y: number;
  colour: readonly [number, number, number];
}

interface Window {
  panes: Pane[];
  columns: number;
  pitch: number;
}

/** Panes of coloured glass in lead, each in one colour, lit from behind. */
export async function stainedGlass(image: RgbImage, random: Random, boldness = 1): Promise<RgbImage> {
  const unit = unitOf(image);
  const noise = createNoise(Math.floor(random() * 2 ** 31));
  const pitch = Math.max(5, unit / 27) * boldness;
  const lit = await fromSharp(toSharp(image).normalise().modulate({ saturation: 1.7, brightness: 1.08 }));
  const drawn = await fromSharp(
    toSharp(lit)
      .median(5)
      .blur(Math.max(0.6, pitch / 7)),
  );
  const panes = cutPanes(lit, pitch, random);
  const lead = Math.max(0.7, pitch * 0.042);
  return redrawn(image, (into, offset, x, y) => {
    const [pane, gap] = paneAt(panes, x, y, drawn.data, offset);
    const shine = glow(noise, x / unit, y / unit, gap / pitch);
    // Rounded at the top: the lead came reflects light along its middle.
    const came = smoothstep(lead + 0.5, lead - 0.5, gap);
    const ridge = Math.max(0, 1 - gap / lead) * 34;
    for (let c = 0; c < 3; c++) {
      const glass = clamp(pane.colour[c]! * shine + 6, 0, 255);
      into[offset + c] = glass * (1 - came) + (LEAD[c]! + ridge) * came;
    }
  });
}

/** One pane per cell of a grid, shifted at random; its colour is the mean around its middle. */
function cutPanes(image: RgbImage, pitch: number, random: Random): Window {
  const columns = Math.ceil(image.width / pitch) + 3;
  const rows = Math.ceil(image.height / pitch) + 3;
  const panes = Array.from({ length: columns * rows }, (_, index): Pane => {
    const x = ((index % columns) - 1 + 0.5 + (random() - 0.5) * 0.75) * pitch;
    const y = (Math.floor(index / columns) - 1 + 0.5 + (random() - 0.5) * 0.75) * pitch;
    return { x, y, colour: meanAround(image, x, y, pitch * 0.3) };
  });
  return { panes, columns, pitch };
}

function meanAround(image: RgbImage, x: number, y: number, reach: number): Pane['colour'] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let down = -1; down <= 1; down++) {
    for (let across = -1; across <= 1; across++) {
      const from = offsetAt(image, x + across * reach, y + down * reach);
      for (let c = 0; c < 3; c++) sum[c] = sum[c]! + image.data[from + c]! / 9;
    }
  }
  return sum;
}

/** How far a colour that differs by one step moves a pane's border, as a share of the pitch. */
const PULL = 0.011;

/**
 * The pane that covers a place, and the distance to its nearest border. Panes follow the image: a pane extends further
 * where the image has the pane's colour.
 */
function paneAt(
  { panes, columns, pitch }: Window,
  x: number,
  y: number,
  drawn: Uint8Array,
  offset: number,
): [pane: Pane, gap: number] {
  const column = Math.floor(x / pitch) + 1;
  const row = Math.floor(y / pitch) + 1;
  let nearest = panes[row * columns + column]!;
  let least = Infinity;
  let next = Infinity;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const pane = panes[(row + dy) * columns + column + dx];
      if (!pane) continue;
      const [red, green, blue] = pane.colour;
      const strange = Math.hypot(red - drawn[offset]!, green - drawn[offset + 1]!, blue - drawn[offset + 2]!);
      const distance = Math.hypot(pane.x - x, pane.y - y, strange * PULL * pitch);
      if (distance < least) [nearest, next, least] = [pane, least, distance];
      else if (distance < next) next = distance;
    }
  }
  return [nearest, (next - least) / 2];
}

/** Glass varies in thickness, and is darker towards the lead. */
function glow(noise: Noise, u: number, v: number, depth: number): number {
  const streaks = fractal(noise, u * 26, v * 70, 3) * 0.34;
  return 0.72 + smoothstep(0, 0.3, depth) * 0.46 + streaks;
}
