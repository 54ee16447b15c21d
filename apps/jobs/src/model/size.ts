import type { FrameBounds } from '@kinora/contracts/catalog/catalog.rpc';
import type { Bounds } from '@kinora/contracts/catalog/model';
import type { AspectRatio } from '@kinora/contracts/jobs/job-choices';

export interface Size {
  width: number;
  height: number;
}

/** Clients write at least three digits a side; a video frame from a small start frame may have two. */
const SIZE = /^(\d{2,4})x(\d{2,4})$/;
/** The step that a computed side is rounded to (decisions: Sizes). */
const SIDE_STEP_PX = 8;

/** Parses `1024x768`; null for anything else. */
export function parseSize(text: string): Size | null {
  const match = SIZE.exec(text);
  return match ? { width: Number(match[1]), height: Number(match[2]) } : null;
}

export function formatSize({ width, height }: Size): string {
  return `${width}x${height}`;
}

/** The listed size with the nearest ratio on a log scale; on a tie the one with the larger area. */
export function nearestSize(ratio: AspectRatio, listed: string[]): string | null {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const ranked = listed
    .map((text) => ({ text, size: parseSize(text) }))
    .filter((entry): entry is { text: string; size: Size } => entry.size !== null)
    .map(({ text, size }) => ({
      text,
      distance: Math.abs(Math.log(size.width / size.height / (across / down))),
      area: size.width * size.height,
    }))
    .sort((one, other) => one.distance - other.distance || other.area - one.area);
  return ranked[0]?.text ?? null;
}

export function isWithin({ width, height }: Size, { min, max }: Bounds): boolean {
  return width >= min && width <= max && height >= min && height <= max;
}

/** The size of an image, scaled into the bounds with its ratio kept, each side rounded to a multiple of 8. */
export function fitInto({ width, height }: Size, bounds: Bounds): Size {
  const larger = Math.max(width, height);
  const smaller = Math.min(width, height);
  let scale = 1;
  if (larger > bounds.max) scale = bounds.max / larger;
  else if (smaller < bounds.min) scale = bounds.min / smaller;
  return { width: roundSide(width * scale, bounds), height: roundSide(height * scale, bounds) };
}

/** Each side stays within the bounds, even if an extreme ratio is then not kept. */
function roundSide(side: number, { min, max }: Bounds): number {
  const rounded = Math.round(side / SIDE_STEP_PX) * SIDE_STEP_PX;
  return Math.min(Math.max(rounded, min), max);
}

/** 1 %, as a distance on a log scale (decisions: Sizes). */
const RATIO_TOLERANCE = Math.log(1.01);
/** No start frame is larger, so no frame has to be. */
const MAX_SIDE_PX = 4_096;

/**
 * The frame of a video from its start frame, with its ratio kept (decisions: Sizes). The size of the start frame if it is
 * within the budget, else scaled down to it. Each side is then rounded to the multiple below or above it: among the pairs
 * within the budget the one with the nearest ratio on a log scale, on a tie the smaller one. If that one is off by more than
 * 1 %, another frame within the budget is chosen, which may be larger than the start frame.
 */
export function fitFrame(source: Size, bounds: FrameBounds): Size {
  const { max_pixels: maxPixels, side_multiple: step } = bounds;
  const scale = Math.min(1, Math.sqrt(maxPixels / (source.width * source.height)));
  const [smallest, ...larger] = sidesNear(source.width * scale, step).flatMap((width) =>
    sidesNear(source.height * scale, step).map((height) => ({ width, height })),
  ) as [Size, ...Size[]];
  const rounded = larger
    .filter(({ width, height }) => width * height <= maxPixels)
    .reduce((best, frame) => (ratioChange(source, frame) < ratioChange(source, best) ? frame : best), smallest);
  if (ratioChange(source, rounded) <= RATIO_TOLERANCE) return rounded;
  return framesOfRatio(source.width / source.height, bounds).reduce(
    (best, frame) => (isNearer(frame, best, source) ? frame : best),
    rounded,
  );
}

function sidesNear(side: number, step: number): number[] {
  const below = Math.max(step, Math.floor(side / step) * step);
  return below >= side ? [below] : [below, below + step];
}

/** The frames within the budget that are the nearest to a ratio, for each width the one below and the one above. */
function framesOfRatio(ratio: number, { max_pixels: maxPixels, side_multiple: step }: FrameBounds): Size[] {
  const widths = Array.from({ length: Math.floor(MAX_SIDE_PX / step) }, (_, index) => step * (index + 1));
  return widths.flatMap((width) =>
    sidesNear(width / ratio, step)
      .map((height) => ({ width, height }))
      .filter(({ height }) => height <= MAX_SIDE_PX && width * height <= maxPixels),
  );
}

/** The nearer ratio wins; of two within the tolerance, the area that is nearer to that of the start frame. */
function isNearer(frame: Size, best: Size, source: Size): boolean {
  const [change, bestChange] = [frame, best].map((each) => ratioChange(source, each)) as [number, number];
  if (Math.max(change, bestChange) > RATIO_TOLERANCE) return change < bestChange;
  return areaChange(source, frame) < areaChange(source, best);
}

function ratioChange(source: Size, { width, height }: Size): number {
  return Math.abs(Math.log((width * source.height) / (height * source.width)));
}

function areaChange(source: Size, { width, height }: Size): number {
  return Math.abs(Math.log((width * height) / (source.width * source.height)));
}
