import { encodeTestVideo } from '@kinora/testing';
import { boxesBetween } from './mp4-boxes';

export function mp4Box(type: string, ...content: Uint8Array[]): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([size, Buffer.from(type, 'latin1'), ...content]);
}

/** The same bytes with a 32-bit number written at an offset from the name of a box. */
export function withNumberInBox(bytes: Buffer, box: string, offset: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(box);
  if (at === -1) throw new Error(`The fixture has no ${box} box.`);
  copy.writeUInt32BE(value, at + 4 + offset);
  return copy;
}

/** A square that moves to the right in front of a still gradient. */
export function movingSquare({ width = 96, height = 64, fps = 16, frames = 24 } = {}): Promise<Buffer> {
  return encodeTestVideo({
    width,
    height,
    fps,
    frames,
    frameAt: (index) => {
      const pixels = new Uint8Array(width * height * 4);
      for (let i = 0; i < width * height; i++) {
        const x = i % width;
        const y = Math.floor(i / width);
        const inside = x >= index && x < index + 16 && y >= 20 && y < 36;
        pixels.set(inside ? [250, 40, 30, 255] : [x, y, 120, 255], i * 4);
      }
      return pixels;
    },
  });
}

/** The same MP4 with other content in a box of its index, and with the enclosing sizes and the offsets adjusted. */
export function withBoxReplaced(bytes: Buffer, path: readonly string[], content: Buffer): Buffer {
  const [type = '', ...rest] = path;
  const parts = [...boxesBetween(bytes, 0, bytes.length)].map((box) => {
    const inside = bytes.subarray(box.start, box.end);
    if (box.type !== type) return mp4Box(box.type, inside);
    return mp4Box(type, rest.length === 0 ? content : withBoxReplaced(inside, rest, content));
  });
  return Buffer.concat(parts);
}
