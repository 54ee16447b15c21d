import sharp from 'sharp';
import { clamp, mix, smoothstep } from '../raster/curve';
import { fromSharp, type Picture, toSharp } from '../raster/picture';
import { InvalidInputError } from '../drawing/draw-order';
import { toYuv, type YuvFrame, yuvWeightsFor } from './yuv-frame';

/** The start frame, prepared for being looked at from places other than its own. */
export interface StartFrame {
  /** The picture with its margin. */
  readonly yuv: YuvFrame;
  /** Pixels of `yuv` for one of the video. */
  readonly scale: number;
  /** The part of `yuv` that is the start frame itself begins here, both ways. */
  readonly marginX: number;
  readonly marginY: number;
  /** How near a place is, from 0 to 1, by its place in the frame from 0 to 1. */
  readonly nearnessAt: (u: number, v: number) => number;
}

/** Where a camera looks beyond the edge, it sees the picture mirrored and ever more out of focus: this far, in parts of a side. */
const MARGIN = 0.12;
/** Reading between pixels blurs a little, and more so halfway between two. At double size nobody sees it; larger ones would take too much memory. */
const LARGEST_DOUBLED_AREA = 1280 * 1280;

/** Brings a start frame to the size of its video; what sticks out where the proportions differ is cut off. */
export async function openStartFrame(file: Uint8Array, width: number, height: number): Promise<StartFrame> {
  const scale = width * height <= LARGEST_DOUBLED_AREA ? 2 : 1;
  return prepareStartFrame(await decode(file, width * scale, height * scale), width, height);
}

/** `picture` is as large as the video or has twice its width and height. */
export async function prepareStartFrame(picture: Picture, width: number, height: number): Promise<StartFrame> {
  const marginX = 2 * Math.ceil((picture.width * MARGIN) / 2);
  const marginY = 2 * Math.ceil((picture.height * MARGIN) / 2);
  const extended = await extend(picture, marginX, marginY);
  return {
    yuv: toYuv(extended, yuvWeightsFor(height)),
    scale: picture.width / width,
    marginX,
    marginY,
    nearnessAt: await guessNearness(picture),
  };
}

async function decode(file: Uint8Array, width: number, height: number): Promise<Picture> {
  try {
    const image = sharp(file, { limitInputPixels: 4096 * 4096 }).autoOrient();
    return await fromSharp(image.resize(width, height, { fit: 'cover' }));
  } catch {
    throw new InvalidInputError('The start frame cannot be decoded.');
  }
}

async function extend(picture: Picture, marginX: number, marginY: number): Promise<Picture> {
  const sides = { top: marginY, bottom: marginY, left: marginX, right: marginX };
  const mirrored = await fromSharp(toSharp(picture).extend({ ...sides, extendWith: 'mirror' }));
  const soft = await fromSharp(toSharp(mirrored).blur(Math.max(1, marginX / 8)));
  const { width, height, data } = mirrored;
  for (let y = 0; y < height; y++) {
    const beyondY = Math.max(marginY - y, y - (height - 1 - marginY)) / marginY;
    for (let x = 0; x < width; x++) {
      const beyond = Math.max(beyondY, (marginX - x) / marginX, (x - (width - 1 - marginX)) / marginX);
      if (beyond <= 0) continue;
      const softness = smoothstep(0.1, 1.2, beyond);
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) data[at + c] = mix(data[at + c]!, soft.data[at + c]!, softness) + 0.5;
    }
  }
  return mirrored;
}

const NEARNESS_SIDE = 48;
const HORIZON = 0.45;

/**
 * A guess, as nobody measured anything: the ground comes nearer from the middle of the picture down to its lower edge, and what
 * is dark stands before what is bright. Above the middle nearness hardly changes, so that what stands there stays straight when
 * the camera goes past it; and it is blurred, so that nothing is torn apart where the guess is wrong about a part of it.
 */
async function guessNearness(picture: Picture): Promise<(u: number, v: number) => number> {
  const small = toSharp(picture).resize(NEARNESS_SIDE, NEARNESS_SIDE, { fit: 'fill' }).blur(2.5).toColourspace('b-w');
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
  const last = NEARNESS_SIDE - 1;
  const at = (x: number, y: number): number => {
    const light = data[(y * NEARNESS_SIDE + x) * info.channels]! / 255;
    return clamp(0.25 + 0.75 * ground(y / last) + 0.3 * (0.5 - light), 0, 1);
  };
  return (u, v) => {
    const x = clamp(u, 0, 1) * last;
    const y = clamp(v, 0, 1) * last;
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [right, bottom] = [Math.min(left + 1, last), Math.min(top + 1, last)];
    return mix(
      mix(at(left, top), at(right, top), x - left),
      mix(at(left, bottom), at(right, bottom), x - left),
      y - top,
    );
  };
}

function ground(v: number): number {
  return Math.max(0, (v - HORIZON) / (1 - HORIZON)) ** 1.3;
}
