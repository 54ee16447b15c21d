import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A colourful image with smooth and busy parts, drawn without randomness, for tests. */
export function painting(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    pixels[i * 3] = (x * 255) / width;
    pixels[i * 3 + 1] = 128 + 100 * Math.sin((x * y) / 900);
    pixels[i * 3 + 2] = (y * 255) / height;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** The mean difference of two images of one size, in steps of 255. */
export async function meanDifference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([sharp(one).raw().toBuffer(), sharp(other).raw().toBuffer()]);
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;
}

/** The same PNG with a header that declares an animation. */
export function animatedPng(png: Buffer): Buffer {
  const endOfHeader = 33;
  const animationControl = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  return Buffer.concat([png.subarray(0, endOfHeader), animationControl, png.subarray(endOfHeader)]);
}

/** The same PNG with a header that declares other sides. */
export function withPngSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', header), png.subarray(33)]);
}

/** Wraps a plain lossy WebP of 64 by 64 pixels as the single frame of an animation. */
export function animatedWebp(webp: Buffer): Buffer {
  const side = [63, 0, 0];
  const canvas = webpChunk('VP8X', Buffer.from([0x02, 0, 0, 0, ...side, ...side]));
  const loop = webpChunk('ANIM', Buffer.alloc(6));
  const frameHeader = Buffer.from([0, 0, 0, 0, 0, 0, ...side, ...side, 100, 0, 0, 0]);
  const frame = webpChunk('ANMF', Buffer.concat([frameHeader, webp.subarray(12)]));
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), canvas, loop, frame]));
}

/** The same image in the same format with a C2PA credential, whose content is plain text and not a valid signature. */
export function withCredential(image: Buffer, format: 'png' | 'jpeg' | 'webp'): Buffer {
  const credential = Buffer.from('JUMBF c2pa credential');
  switch (format) {
    case 'png':
      return Buffer.concat([image.subarray(0, 33), pngChunk('caBX', credential), image.subarray(33)]);
    case 'jpeg':
      return Buffer.concat([
        image.subarray(0, 2),
        jpegSegment(0xeb, Buffer.concat([Buffer.from('JP'), credential])),
        image.subarray(2),
      ]);
    case 'webp': {
      const { length } = image;
      const taken = Buffer.concat([image.subarray(8), Buffer.alloc(length % 2), webpChunk('C2PA', credential)]);
      return webpChunk('RIFF', taken);
    }
  }
}

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([header, data]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32be(data.length), typed, uint32be(crc32(typed))]);
}

export function webpChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type), length, data, Buffer.alloc(data.length % 2)]);
}

function uint32be(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
