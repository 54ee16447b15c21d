import { clamp } from './curve';
import { blendAt, type Raster } from './raster';
import { type Colour } from './colour';

/** x, y pairs in pixels. */
export type Outline = readonly (readonly [x: number, y: number])[];
/** One colour for the whole shape, or a colour for each place in it. */
export type Fill = Colour | ((x: number, y: number) => Colour);
export type Alpha = number | ((x: number, y: number) => number);

/** Sub-rows a pixel row: enough that no edge looks stepped. */
const SUBROWS = 4;

/** Fills a closed outline (even-odd) with smooth edges. */
export function fillOutline(raster: Raster, outline: Outline, fill: Fill, alpha: Alpha = 1): void {
  let first = raster.height;
  let last = -1;
  for (const [, y] of outline) {
    first = Math.min(first, Math.max(0, Math.floor(y)));
    last = Math.max(last, Math.min(raster.height - 1, Math.ceil(y)));
  }
  const cover = scratchRow(raster.width + 1);
  for (let y = first; y <= last; y++) {
    const span = coverRow(outline, y, cover);
    for (let x = span.from; x <= span.to; x++) {
      const amount = cover[x]! * (typeof alpha === 'function' ? alpha(x, y) : alpha);
      cover[x] = 0;
      if (amount <= 0) continue;
      blendAt(
        raster.data,
        (y * raster.width + x) * 3,
        typeof fill === 'function' ? fill(x, y) : fill,
        Math.min(amount, 1),
      );
    }
  }
}

/** One row for all shapes, always left empty: thousands of leaves would otherwise cost thousands of rows. */
let scratch = new Float32Array(0);

function scratchRow(length: number): Float32Array {
  if (scratch.length !== length) scratch = new Float32Array(length);
  return scratch;
}

/** Adds the outline's share of each pixel in row `y` to `cover`, and says where it did. */
function coverRow(outline: Outline, y: number, cover: Float32Array): { from: number; to: number } {
  let from = cover.length;
  let to = -1;
  for (let sub = 0; sub < SUBROWS; sub++) {
    const edges = crossingsAt(outline, y + (sub + 0.5) / SUBROWS);
    for (let i = 0; i + 1 < edges.length; i += 2) {
      const left = clamp(edges[i]!, 0, cover.length - 1);
      const right = clamp(edges[i + 1]!, 0, cover.length - 1);
      if (right <= left) continue;
      const leftPixel = Math.floor(left);
      const rightPixel = Math.floor(right);
      for (let x = leftPixel; x <= rightPixel; x++) {
        cover[x] = cover[x]! + (Math.min(right, x + 1) - Math.max(left, x)) / SUBROWS;
      }
      from = Math.min(from, leftPixel);
      to = Math.max(to, rightPixel);
    }
  }
  // The last entry lies beside the picture and only takes what runs over its edge.
  cover[cover.length - 1] = 0;
  return { from, to: Math.min(to, cover.length - 2) };
}

const crossings: number[] = [];

/** Where a horizontal line enters and leaves the outline, from left to right; good until the next call. */
function crossingsAt(outline: Outline, y: number): readonly number[] {
  crossings.length = 0;
  let previous = outline[outline.length - 1];
  for (const point of outline) {
    if (previous && previous[1] <= y !== point[1] <= y) {
      crossings.push(previous[0] + ((y - previous[1]) / (point[1] - previous[1])) * (point[0] - previous[0]));
    }
    previous = point;
  }
  return crossings.length > 1 ? crossings.sort((a, b) => a - b) : crossings;
}

export function circle(cx: number, cy: number, radiusX: number, radiusY = radiusX): Outline {
  const corners = 48;
  return Array.from({ length: corners }, (_, i) => {
    const angle = (i / corners) * Math.PI * 2;
    return [cx + Math.cos(angle) * radiusX, cy + Math.sin(angle) * radiusY] as const;
  });
}

/** A line with a width at each of its points: a branch, a rope, a bolt. */
export function ribbon(points: Outline, widthAt: (t: number) => number): Outline {
  const left: (readonly [number, number])[] = [];
  const right: (readonly [number, number])[] = [];
  points.forEach(([x, y], i) => {
    const [fromX, fromY] = points[Math.max(0, i - 1)]!;
    const [toX, toY] = points[Math.min(points.length - 1, i + 1)]!;
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    const half = widthAt(points.length > 1 ? i / (points.length - 1) : 0) / 2;
    left.push([x - ((toY - fromY) / length) * half, y + ((toX - fromX) / length) * half]);
    right.push([x + ((toY - fromY) / length) * half, y - ((toX - fromX) / length) * half]);
  });
  return [...left, ...right.reverse()];
}
