import type { FrameBounds } from '@kinora/contracts/catalog/catalog.rpc';
import type { Size } from './image-size';

/**
 * The frame of a video from its start frame, with its ratio kept (decisions: Sizes). The start frame's own size where
 * the budget allows, else scaled down to it; never scaled up. Then each side goes to the multiple below or above it:
 * of the pairs within the budget the one whose ratio is nearest, on a log scale, and on a tie the smaller.
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
