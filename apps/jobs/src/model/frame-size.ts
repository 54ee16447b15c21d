import type { FrameBounds } from '@kinora/contracts/catalog/catalog.rpc';
import type { Size } from './image-size';

/**
 * The frame of a video from its start frame, with its ratio kept (decisions: Sizes). The size of the start frame if it is
 * within the budget, else scaled down to it; never scaled up. Each side is then rounded to the multiple below or above it:
 * among the pairs within the budget the one with the nearest ratio on a log scale, on a tie the smaller one.
 */
export function fitFrame(source: Size, { max_pixels: maxPixels, side_multiple: step }: FrameBounds): Size {
  const scale = Math.min(1, Math.sqrt(maxPixels / (source.width * source.height)));
  const distance = ({ width, height }: Size): number =>
    Math.abs(Math.log((width * source.height) / (height * source.width)));
  const [smallest, ...larger] = sidesNear(source.width * scale, step).flatMap((width) =>
    sidesNear(source.height * scale, step).map((height) => ({ width, height })),
  ) as [Size, ...Size[]];
  return larger
    .filter(({ width, height }) => width * height <= maxPixels)
    .reduce((best, frame) => (distance(frame) < distance(best) ? frame : best), smallest);
}

function sidesNear(side: number, step: number): number[] {
  const below = Math.max(step, Math.floor(side / step) * step);
  return below >= side ? [below] : [below, below + step];
}
