import { crc32, deflateSync } from 'node:zlib';

/** A grey PNG of the given sides, and as many bytes more as are asked for: noise that no decoder looks at. */
export function greyPng(width: number, height: number, ballastBytes = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  const rows = Buffer.alloc((width + 1) * height, 127);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  const chunks = [
    chunk('IHDR', header),
    chunk('baLl', Buffer.alloc(ballastBytes, 7)),
    chunk('IDAT', deflateSync(rows)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

export function toDataUri(bytes: Buffer, mime = 'image/png'): string {
  return `data:${mime};base64,${bytes.toString('base64')}`;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(typed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}
