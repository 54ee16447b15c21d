import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A picture that is no single colour, so that a turn or a cut shows. */
export function picture(width: number, height: number): Sharp {
  const left = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#c03020' } };
  return sharp({ create: { width, height, channels: 3, background: '#2050c0' } }).composite([
    { input: left, left: 0, top: 0 },
  ]);
}

export function dataUri(bytes: Uint8Array, declared = 'image/png'): string {
  return `data:${declared};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** The smallest picture that may be sent: white, 64 by 64, one bit a pixel. */
export const SMALL_PNG = dataUri(whitePng(64, 64));

function whitePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8);
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height, 0xff);
  for (let row = 0; row < height; row++) rows[row * (1 + Math.ceil(width / 8))] = 0;
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
