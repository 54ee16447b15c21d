import type { FrameBounds } from '@kinora/contracts/catalog/catalog.rpc';
import type { Size } from './image-size';

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
