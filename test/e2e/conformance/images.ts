import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Red beside blue, so that a rotation is visible. */
export function image(width: number, height: number): Sharp {
  const left = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#c03020' } };
  const canvas = sharp({ create: { width, height, channels: 3, background: '#2050c0' } });
  return canvas.composite([{ input: left, left: 0, top: 0 }]);
}

export function dataUri(bytes: Uint8Array, declared = 'image/png'): string {
  return `data:${declared};base64,${Buffer.from(bytes).toString('base64')}`;
}

export interface PngOptions {
  /** The values in the header, where they differ from the data. */
  claimed?: [width: number, height: number];
  /** Chunks between the header and the data. */
  between?: Buffer[];
}

/** A white PNG of one bit a pixel, written byte by byte so that each part can be made invalid. */
export function whitePng(width: number, height: number, { claimed, between = [] }: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claimed?.[0] ?? width, 0);
  header.writeUInt32BE(claimed?.[1] ?? height, 4);
  header.set([1, 0], 8);
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  row[0] = 0;
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const chunks = [pngChunk('IHDR', header), ...between, pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([PNG_SIGNATURE, ...chunks]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}

/** A PNG of an exact size in bytes, most of them in a chunk that decoders skip. */
export function heavyPng(bytes: number): Buffer {
  const ballastBytes = bytes - whitePng(64, 64, { between: [pngChunk('baLl', Buffer.alloc(0))] }).length;
  return whitePng(64, 64, { between: [pngChunk('baLl', Buffer.alloc(ballastBytes, 7))] });
}

/** The same PNG, declared as an animation. */
export const ANIMATED_PNG = whitePng(64, 64, { between: [pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] });

/** A PNG with a hundred megabytes of text in a hundred kilobytes. */
export function textBombPng(): Buffer {
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(100 * 1024 * 1024))]);
  return whitePng(64, 64, { between: [pngChunk('zTXt', text)] });
}

export async function animatedWebp(): Promise<Buffer> {
  const frames = await Promise.all(['#ff0000', '#00ff00'].map((background) => solid(background).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
}

export async function animatedGif(): Promise<Buffer> {
  const frames = await Promise.all(['#ff0000', '#00ff00'].map((background) => solid(background).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
}

function solid(background: string): Sharp {
  return sharp({ create: { width: 64, height: 64, channels: 3, background } });
}

/** The smallest valid image. */
export const SMALL_PNG = dataUri(whitePng(64, 64));
