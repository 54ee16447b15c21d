import type { Picture } from './picture';
import { VideoProblem } from './video-problem';

export interface PickedFrame {
  /** Its place in the video, from zero. */
  index: number;
  picture: Picture;
}

const REGULAR_PER_SECOND = 4;
/** A video of 8 seconds has as many; a longer one is looked at less often. */
const MAX_REGULAR = 32;
/** A cell a few pixels wide still shows a change that fills a tenth of the picture. */
const GRID = 16;
/** Of 255, on average over the picture. Movement stays below, a cut does not. */
const MIN_CHANGE = 6;

/**
 * The frames by which a video is judged: the first, the last, a regular one four times a second, and between two of these
 * both sides of the greatest change, so that what flashes up for a single frame is seen too. At most three in a regular
 * interval, so that no strobe makes the judging endless or hides behind other flashes further on.
 * @throws VideoProblem `cannot_be_judged` when there are fewer or more pictures than the video promises
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
  for await (const picture of pictures) {
    const seen = { index, picture, grid: gridOf(picture) };
    cut = greaterCut(cut, before, seen);
    if (index % every === 0 || index === frames - 1) {
      for (const frame of [...(cut?.sides ?? []), seen]) {
        if (frame.index <= lastPicked) continue;
        lastPicked = frame.index;
        yield { index: frame.index, picture: frame.picture };
      }
      cut = undefined;
    }
    before = seen;
    index += 1;
  }
  if (index !== frames) {
    throw new VideoProblem('cannot_be_judged', `Of ${frames} pictures of the video ${index} can be decoded.`);
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
  const change = after.grid.reduce((sum, cell, i) => sum + Math.abs(cell - (before.grid[i] ?? 0)), 0) / GRID ** 2;
  return change >= MIN_CHANGE && change > (cut?.change ?? 0) ? { change, sides: [before, after] } : cut;
}

/** The mean luma of each cell, from every other pixel of every other row. */
function gridOf({ width, height, planes }: Picture): Float64Array {
  const sums = new Float64Array(GRID ** 2);
  const counts = new Float64Array(GRID ** 2);
  for (let y = 0; y < height; y += 2) {
    const row = Math.floor((y * GRID) / height) * GRID;
    for (let x = 0; x < width; x += 2) {
      const cell = row + Math.floor((x * GRID) / width);
      sums[cell] = (sums[cell] ?? 0) + (planes[y * width + x] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    }
  }
  return sums.map((sum, cell) => sum / Math.max(1, counts[cell] ?? 0));
}
