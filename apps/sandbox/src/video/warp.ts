import { clamp } from '../raster/curve';
import { type Camera } from './moves';
import { type StartFrame } from './start-frame';
import { type Plane, type YuvFrame } from './yuv-frame';

/**
 * The mapping is computed for the corners of squares of this many pixels and interpolated linearly, because nearness is
 * smooth.
 */
const STEP = 16;

/** For the corners of the squares, the place in the start frame's planes that is visible there. */
interface Sight {
  readonly columns: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Draws the camera's view of the start frame. */
export function warpInto(frame: YuvFrame, start: StartFrame, camera: Camera): void {
  const sight = sightOf(frame.y.width, frame.y.height, start, camera);
  warpPlane(start.yuv.y, frame.y, sight, 1);
  warpPlane(start.yuv.u, frame.u, sight, 2);
  warpPlane(start.yuv.v, frame.v, sight, 2);
}

function sightOf(width: number, height: number, start: StartFrame, camera: Camera): Sight {
  const columns = Math.ceil(width / STEP) + 1;
  const rows = Math.ceil(height / STEP) + 1;
  const x = new Float64Array(columns * rows);
  const y = new Float64Array(columns * rows);
  const { yuv, scale, marginX, marginY, nearnessAt } = start;
  const look = lookThrough(camera, width / height);
  for (let node = 0; node < x.length; node++) {
    const u = ((node % columns) * STEP) / width - 0.5;
    const v = (Math.floor(node / columns) * STEP) / height - 0.5;
    // The place at medium nearness gives the actual nearness, from which the visible place follows.
    const [nearbyU, nearbyV] = look(u, v, 0.5);
    const [seenU, seenV] = look(u, v, nearnessAt(nearbyU + 0.5, nearbyV + 0.5));
    // Slightly more than a pixel from the edges, because four neighbours are read, and at half the size too.
    x[node] = clamp(marginX + (seenU + 0.5) * width * scale, 1, yuv.y.width - 1.1);
    y[node] = clamp(marginY + (seenV + 0.5) * height * scale, 1, yuv.y.height - 1.1);
  }
  return { columns, x, y };
}

/** Maps a place in the video to the place in the start frame, both from -0.5 to 0.5, for a given nearness. */
function lookThrough(camera: Camera, aspect: number): (u: number, v: number, nearness: number) => [number, number] {
  const cos = Math.cos(camera.roll);
  const sin = Math.sin(camera.roll);
  return (u, v, nearness) => {
    // Zooming in magnifies near objects more than far ones, and moving sideways shifts them more.
    const zoom = 1 + (camera.zoom - 1) * (0.72 + 0.56 * nearness);
    const reach = 0.75 + 0.5 * nearness;
    const turnedU = u * cos + (v * sin) / aspect;
    const turnedV = v * cos - u * sin * aspect;
    return [
      turnedU / zoom + camera.shiftX * reach + camera.orbitX * (nearness - 0.5),
      turnedV / zoom + camera.shiftY * reach + camera.orbitY * (nearness - 0.5),
    ];
  };
}

/**
 * `reduction` is 2 for planes of half the size. Positions are stored in 65536ths of a pixel, so that the inner loop
 * only adds integers.
 */
function warpPlane(from: Plane, into: Plane, sight: Sight, reduction: number): void {
  const step = STEP / reduction;
  const { columns } = sight;
  const rowX = new Float64Array(columns);
  const rowY = new Float64Array(columns);
  for (let y = 0; y < into.height; y++) {
    const place = (y + 0.5) / step;
    const node = Math.floor(place) * columns;
    const below = place - Math.floor(place);
    for (let column = 0; column < columns; column++) {
      const upper = node + column;
      const lower = upper + columns;
      rowX[column] = (sight.x[upper]! + (sight.x[lower]! - sight.x[upper]!) * below) / reduction - 0.5;
      rowY[column] = (sight.y[upper]! + (sight.y[lower]! - sight.y[upper]!) * below) / reduction - 0.5;
    }
    for (let column = 0; column < columns - 1; column++) {
      const begin = column * step;
      const end = Math.min(begin + step, into.width);
      const slopeX = (rowX[column + 1]! - rowX[column]!) / step;
      const slopeY = (rowY[column + 1]! - rowY[column]!) / step;
      readAlong(
        from,
        into.data.subarray(y * into.width + begin, y * into.width + end),
        Math.round((rowX[column]! + slopeX / 2) * 65536),
        Math.round((rowY[column]! + slopeY / 2) * 65536),
        Math.round(slopeX * 65536),
        Math.round(slopeY * 65536),
      );
    }
  }
}

/** Reads a plane along a line, between its pixels, by bilinear interpolation. */
function readAlong(
  { width, data }: Plane,
  into: Uint8Array,
  x: number,
  y: number,
  slopeX: number,
  slopeY: number,
): void {
  for (let i = 0; i < into.length; i++) {
    const at = (y >> 16) * width + (x >> 16);
    const right = (x >> 8) & 255;
    const below = (y >> 8) & 255;
    const upper = data[at]! * (256 - right) + data[at + 1]! * right;
    const lower = data[at + width]! * (256 - right) + data[at + width + 1]! * right;
    into[i] = (upper * (256 - below) + lower * below + 32768) >> 16;
    x += slopeX;
    y += slopeY;
  }
}
