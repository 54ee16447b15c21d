import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const EIGHT_BITS_RGB = Buffer.from([8, 2, 0, 0, 0]);

/** A real PNG of one colour, with a text chunk: by default, servers write the whole graph into their images. */
export function paintPng(width: number, height: number, color: number, text: string): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const pixel = Buffer.from([color >> 16, color >> 8, color].map((channel) => channel & 255));
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, pixel)]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([size, EIGHT_BITS_RGB])),
    chunk('tEXt', Buffer.from(`prompt\0${text}`, 'latin1')),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
