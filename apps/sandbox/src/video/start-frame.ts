import sharp from 'sharp';
import { createCoarseField, fieldAt } from '../raster/coarse-field';
import { clamp, mix, smoothstep } from '../raster/curve';
import { fromSharp, type RgbImage, toSharp } from '../raster/rgb-image';
import { InvalidInputError } from '../drawing/draw-order';
import { toYuv, type YuvFrame, yuvWeightsFor } from './yuv-frame';

/** The start frame, prepared for views from other camera positions. */
export interface StartFrame {
  /** The image with its margin. */
  readonly yuv: YuvFrame;
  /** Pixels of `yuv` per pixel of the video. */
  readonly scale: number;
  /** The offsets in `yuv` at which the start frame itself begins. */
  readonly marginX: number;
  readonly marginY: number;
  /** The nearness of a place, from 0 to 1, by its position in the frame from 0 to 1. */
  readonly nearnessAt: (u: number, v: number) => number;
}

/** Beyond its edge, the image continues mirrored and increasingly out of focus, for this share of a side. */
const MARGIN = 0.12;
/**
 * Interpolation between pixels blurs slightly, most halfway between two. At double size this is not visible; doubling
 * larger frames would take too much memory.
 */
const LARGEST_DOUBLED_AREA = 1280 * 1280;

/** Scales a start frame to the size of its video; if the proportions differ, the excess is cropped. */
export async function openStartFrame(file: Uint8Array, width: number, height: number): Promise<StartFrame> {
  const scale = width * height <= LARGEST_DOUBLED_AREA ? 2 : 1;
  return prepareStartFrame(await decode(file, width * scale, height * scale), width, height);
}

/** `picture` is as large as the video or has twice its width and height. */
export async function prepareStartFrame(image: RgbImage, width: number, height: number): Promise<StartFrame> {
  const marginX = 2 * Math.ceil((image.width * MARGIN) / 2);
  const marginY = 2 * Math.ceil((image.height * MARGIN) / 2);
  const extended = await extend(image, marginX, marginY);
  return {
    yuv: toYuv(extended, yuvWeightsFor(height)),
    scale: image.width / width,
    marginX,
    marginY,
    nearnessAt: await guessNearness(image),
  };
}

async function decode(file: Uint8Array, width: number, height: number): Promise<RgbImage> {
  try {
    const image = sharp(file, { limitInputPixels: 4096 * 4096 }).autoOrient();
    return await fromSharp(image.resize(width, height, { fit: 'cover' }));
  } catch {
    throw new InvalidInputError('The start frame cannot be decoded.');
  }
}

async function extend(image: RgbImage, marginX: number, marginY: number): Promise<RgbImage> {
  const sides = { top: marginY, bottom: marginY, left: marginX, right: marginX };
  const mirrored = await fromSharp(toSharp(image).extend({ ...sides, extendWith: 'mirror' }));
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
 * A guess, because no depth is known: nearness grows from the middle of the image down to its lower edge, and dark
 * areas are nearer than bright ones. Above the middle nearness hardly changes, so that upright objects stay straight
 * when the camera passes them. It is blurred, so that a wrong guess about a part tears nothing apart.
 */
async function guessNearness(image: RgbImage): Promise<(u: number, v: number) => number> {
  const small = toSharp(image).resize(NEARNESS_SIDE, NEARNESS_SIDE, { fit: 'fill' }).blur(2.5).toColourspace('b-w');
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
  const last = NEARNESS_SIDE - 1;
  const nearness = createCoarseField(last, last, 1, (x, y) => {
    const pixel = Math.min(y, last) * NEARNESS_SIDE + Math.min(x, last);
    const light = data[pixel * info.channels]! / 255;
    return clamp(0.25 + 0.75 * ground(y / last) + 0.3 * (0.5 - light), 0, 1);
  });
  return (u, v) => fieldAt(nearness, clamp(u, 0, 1) * last, clamp(v, 0, 1) * last);
}

function ground(v: number): number {
  return Math.max(0, (v - HORIZON) / (1 - HORIZON)) ** 1.3;
}
