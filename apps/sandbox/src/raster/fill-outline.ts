import { type Colour } from './colour';
import { clamp } from './curve';
import { blendAt, type Raster } from './raster';

/** x, y pairs in pixels. */
export type Outline = readonly (readonly [x: number, y: number])[];

/** One colour for the whole shape, or a colour for each place in it. */
export type Fill = Colour | ((x: number, y: number) => Colour);
export type Alpha = number | ((x: number, y: number) => number);

/** Sub-rows a pixel row: enough that no edge looks stepped. */
const SUBROWS = 4;
const MOST_CORNERS = 1024;

/**
 * Working memory shared by all shapes: a forest has tens of thousands, and allocations for each would load the garbage
 * collector.
 */
const corners = { x: new Float64Array(MOST_CORNERS), y: new Float64Array(MOST_CORNERS), count: 0 };
const crossings = { x: new Float64Array(MOST_CORNERS), count: 0 };
/** The share of each pixel of a row that the shape covers; left empty after each row. */
let cover = new Float32Array(0);

/** Fills a closed outline (even-odd) with smooth edges; `onCover` receives the pixels of which it covers most. */
export function fillOutline(
  raster: Raster,
  outline: Outline,
  fill: Fill,
  alpha: Alpha = 1,
  onCover?: (pixel: number) => void,
): void {
  const { width, height, data } = raster;
  if (cover.length !== width + 1) cover = new Float32Array(width + 1);
  const [top, bottom] = takeCorners(outline);
  const last = Math.min(height - 1, Math.ceil(bottom));
  for (let y = Math.max(0, Math.floor(top)); y <= last; y++) {
    const [from, to] = coverRow(y);
    for (let x = from; x <= to; x++) {
      const amount = cover[x]! * (typeof alpha === 'function' ? alpha(x, y) : alpha);
      cover[x] = 0;
      if (amount <= 0) continue;
      const colour = typeof fill === 'function' ? fill(x, y) : fill;
      blendAt(data, (y * width + x) * 3, colour, amount < 1 ? amount : 1);
      if (amount > 0.5) onCover?.(y * width + x);
    }
  }
}

/** Copies the outline to the working memory, and gives its highest and its lowest row. */
function takeCorners(outline: Outline): readonly [top: number, bottom: number] {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  corners.count = Math.min(outline.length, MOST_CORNERS);
  for (let i = 0; i < corners.count; i++) {
    const corner = outline[i]!;
    corners.x[i] = corner[0];
    corners.y[i] = corner[1];
    if (corner[1] < top) top = corner[1];
    if (corner[1] > bottom) bottom = corner[1];
  }
  return [top, bottom];
}

/** Adds the shape's share of each pixel in row `y` to `cover`, and returns the range of columns. */
function coverRow(y: number): readonly [from: number, to: number] {
  const end = cover.length - 1;
  let from = end;
  let to = -1;
  for (let sub = 0; sub < SUBROWS; sub++) {
    findCrossings(y + (sub + 0.5) / SUBROWS);
    for (let i = 0; i + 1 < crossings.count; i += 2) {
      const left = clamp(crossings.x[i]!, 0, end);
      const right = clamp(crossings.x[i + 1]!, 0, end);
      if (right <= left) continue;
      const leftPixel = left | 0;
      const rightPixel = right | 0;
      for (let x = leftPixel; x <= rightPixel; x++) {
        const share = (right < x + 1 ? right : x + 1) - (left > x ? left : x);
        cover[x] = cover[x]! + share / SUBROWS;
      }
      if (leftPixel < from) from = leftPixel;
      if (rightPixel > to) to = rightPixel;
    }
  }
  // The last entry lies beside the image and only collects the overflow at its edge.
  cover[end] = 0;
  return [from, Math.min(to, end - 1)];
}

/** Where a horizontal line enters and leaves the shape, sorted from left to right by insertion. */
function findCrossings(y: number): void {
  const { x: xs, y: ys, count } = corners;
  crossings.count = 0;
  let previous = count - 1;
  for (let i = 0; i < count; i++) {
    const fromY = ys[previous]!;
    const toY = ys[i]!;
    if (fromY <= y !== toY <= y) {
      const x = xs[previous]! + ((y - fromY) / (toY - fromY)) * (xs[i]! - xs[previous]!);
      let place = crossings.count++;
      for (; place > 0 && crossings.x[place - 1]! > x; place--) crossings.x[place] = crossings.x[place - 1]!;
      crossings.x[place] = x;
    }
    previous = i;
  }
}

export function circle(cx: number, cy: number, radiusX: number, radiusY = radiusX): Outline {
  return Array.from({ length: 40 }, (_, i) => {
    const angle = (i / 20) * Math.PI;
    return [cx + Math.cos(angle) * radiusX, cy + Math.sin(angle) * radiusY] as const;
  });
}

export function rectangle(x: number, y: number, width: number, height: number): Outline {
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
}
