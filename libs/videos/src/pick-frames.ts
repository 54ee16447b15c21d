import type { Picture } from './picture';
import { VideoProblem } from './video-problem';

export interface PickedFrame {
  index: number;
  picture: Picture;
}

const REGULAR_PER_SECOND = 4;
/** A video of 8 seconds has this many; a longer one is sampled less often. */
const MAX_REGULAR = 32;
/** Fine enough to detect a change in a tenth of the picture, coarse enough to ignore grain. */
const GRID = 16;
const CELLS = GRID ** 2;
/** Luma and the two chroma planes. */
const PLANES = [0, 1, 2] as const;
/** Log2 of the number of samples along the side of a cell. */
const CELL_SAMPLES_BITS = 2;
/** In steps of 255, as a mean over the picture. Movement stays below, a cut does not. */
const MIN_CHANGE = 6;
/**
 * The threshold for what appears and disappears too slowly for a cut: it differs from the regular frames on both sides.
 */
const MIN_FADE = 12;

/**
 * Picks the frames by which a video is judged: the first, the last, and a regular one four times a second. Between two
 * regular frames it picks both sides of the greatest change, so that a single differing frame is judged too. If nothing
 * changes suddenly, it picks the frame that differs most from the last regular one, which catches a fade in and out. A
 * regular interval yields at most three frames, so that a flickering video neither makes judging endless nor uses up
 * the budget of later frames.
 * @throws VideoProblem `cannot_be_judged` if there are fewer or more pictures than the video declares
 */
export async function* pickFrames(
  pictures: AsyncIterable<Picture>,
  { frames, fps }: { frames: number; fps: number },
): AsyncGenerator<PickedFrame> {
  const every = Math.max(1, Math.floor(fps / REGULAR_PER_SECOND), Math.ceil(frames / MAX_REGULAR));
  let index = 0;
  let lastPicked = -1;
  let before: SeenFrame | undefined;
  let cut: Cut | undefined;
  let regular: SeenFrame | undefined;
  let furthest: SeenFrame | undefined;
  for await (const picture of pictures) {
    const seen = { index, picture, grid: gridOf(picture) };
    cut = greaterCut(cut, before, seen);
    furthest = furtherFrom(regular, furthest, seen);
    if (index % every === 0 || index === frames - 1) {
      for (const frame of [...(cut?.sides ?? fadedBetween(regular, furthest, seen)), seen]) {
        if (frame.index <= lastPicked) continue;
        lastPicked = frame.index;
        yield { index: frame.index, picture: frame.picture };
      }
      cut = furthest = undefined;
      regular = seen;
    }
    before = seen;
    index += 1;
  }
  if (index !== frames) {
    throw new VideoProblem('cannot_be_judged', `Of the video's ${frames} pictures, ${index} can be decoded.`);
  }
}

interface SeenFrame extends PickedFrame {
  grid: Float64Array;
}

interface Cut {
  change: number;
  sides: [before: SeenFrame, after: SeenFrame];
}

function greaterCut(cut: Cut | undefined, before: SeenFrame | undefined, after: SeenFrame): Cut | undefined {
  if (!before) return cut;
  const change = changeBetween(before, after);
  return change >= MIN_CHANGE && change > (cut?.change ?? 0) ? { change, sides: [before, after] } : cut;
}

function furtherFrom(regular: SeenFrame | undefined, furthest: SeenFrame | undefined, seen: SeenFrame): SeenFrame {
  if (!regular || !furthest) return seen;
  return changeBetween(regular, seen) > changeBetween(regular, furthest) ? seen : furthest;
}

/** What has appeared since the last regular frame and is gone before the next one. */
function fadedBetween(before: SeenFrame | undefined, furthest: SeenFrame | undefined, after: SeenFrame): SeenFrame[] {
  if (!before || !furthest) return [];
  const change = Math.min(changeBetween(before, furthest), changeBetween(furthest, after));
  return change >= MIN_FADE ? [furthest] : [];
}

/** The greatest change of the three planes: a picture in other colours may have the same brightness. */
function changeBetween(one: SeenFrame, other: SeenFrame): number {
  const differences = other.grid.map((cell, i) => Math.abs(cell - (one.grid[i] ?? 0)));
  return Math.max(...PLANES.map((plane) => meanOf(differences.subarray(plane * CELLS, (plane + 1) * CELLS))));
}

function meanOf(numbers: Float64Array): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** The mean luma of each cell, then its two chroma means, from pixels spread evenly over it. */
function gridOf({ width, height, planes }: Picture): Float64Array {
  const chromaBytes = (width / 2) * (height / 2);
  const grid = new Float64Array(PLANES.length * CELLS);
  for (const plane of PLANES) {
    const scale = plane === 0 ? 1 : 2;
    const start = plane === 0 ? 0 : width * height + (plane - 1) * chromaBytes;
    addPlane(grid.subarray(plane * CELLS, (plane + 1) * CELLS), planes.subarray(start), width / scale, height / scale);
  }
  return grid.map((sum) => sum / (1 << (2 * CELL_SAMPLES_BITS)));
}

function addPlane(grid: Float64Array, samples: Uint8Array, width: number, height: number): void {
  const columns = evenly(width);
  for (const [row, y] of evenly(height).entries()) {
    const cellRow = (row >> CELL_SAMPLES_BITS) * GRID;
    for (let column = 0; column < columns.length; column++) {
      const cell = cellRow + (column >> CELL_SAMPLES_BITS);
      grid[cell] = (grid[cell] ?? 0) + (samples[y * width + (columns[column] ?? 0)] ?? 0);
    }
  }
}

/** The positions of the samples of all cells along a side. */
function evenly(sidePx: number): number[] {
  const samples = GRID << CELL_SAMPLES_BITS;
  return Array.from({ length: samples }, (_, i) => Math.floor(((i + 0.5) * sidePx) / samples));
}
