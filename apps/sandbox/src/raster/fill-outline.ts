import { type Colour } from './colour';
import { blendAt, type Raster } from './raster';

/** x, y pairs in pixels, of a closed shape that a horizontal line enters and leaves at most once. */
export type Outline = readonly (readonly [x: number, y: number])[];

/** One colour for the whole shape, or a colour for each place in it. */
export type Fill = Colour | ((x: number, y: number) => Colour);
export type Alpha = number | ((x: number, y: number) => number);

/** The middles of a pixel's sub-rows: enough that no edge looks stepped. */
const SUBROWS = [0.125, 0.375, 0.625, 0.875];

/** Fills an outline with smooth edges. */
export function fillOutline({ width, height, data }: Raster, outline: Outline, fill: Fill, alpha: Alpha = 1): void {
  const ys = outline.map((corner) => corner[1]);
  const last = Math.min(height - 1, Math.ceil(Math.max(...ys)));
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= last; y++) {
    const spans = SUBROWS.map((below) => spanAt(outline, y + below));
    const from = Math.max(0, Math.floor(Math.min(...spans.map(({ left }) => left))));
    const to = Math.min(width - 1, Math.floor(Math.max(...spans.map(({ right }) => right))));
    for (let x = from; x <= to; x++) {
      let cover = 0;
      for (const { left, right } of spans)
        cover += Math.max(0, Math.min(right, x + 1) - Math.max(left, x)) / SUBROWS.length;
      const amount = cover * (typeof alpha === 'function' ? alpha(x, y) : alpha);
      if (amount > 0) blendAt(data, (y * width + x) * 3, typeof fill === 'function' ? fill(x, y) : fill, amount);
    }
  }
}

/** Where a horizontal line enters and leaves the shape. */
function spanAt(outline: Outline, y: number): { readonly left: number; readonly right: number } {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let from = outline[outline.length - 1]!;
  for (let i = 0; i < outline.length; i++) {
    const to = outline[i]!;
    if (from[1] <= y !== to[1] <= y) {
      const x = from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
      if (x < left) left = x;
      if (x > right) right = x;
    }
    from = to;
  }
  return { left, right };
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
