import type { AspectRatio } from '@kinora/contracts/jobs/job-choices';
import type { Bounds } from '@kinora/contracts/catalog/model';

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
