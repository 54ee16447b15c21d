import type { ServerResponse } from 'node:http';
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

/** One colour, 128x100: the size in the specs' tasks. */
export const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAIAAAABkAQMAAAB0JaocAAAAA1BMVEUzZpk7I4HSAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQ4y2NgGAWjYBSMglEwCgYnAAAGpAAB8eSZLgAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * The output of a model for a seed at a position of its batch, 128x100. As with real models, the second image of a batch
 * differs from the first image of the next seed.
 */
export function drawImage(seed: number, place: number): Buffer {
  return paintPng(128, 100, colorOf(seed, place), '');
}

export function colorOf(seed: number, place: number): number {
  return (seed * 40_503 + place * 7_919_177) & 0xffffff;
}

/** Differs from IMAGE only by its bytes, which are all that an adapter may compare. */
export const OTHER_IMAGE = Buffer.concat([IMAGE, Buffer.from('another')]);

/** The head of an MP4 file: adapters transfer videos, and never parse them. */
export const CLIP = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypmp42'),
  Buffer.from([0, 0, 0, 0]),
  Buffer.from('mp42isom'),
  Buffer.alloc(512, 7),
]);

const CHUNK = Buffer.alloc(1024 * 1024);

/** Announces all of the bytes, sends half of them, and closes the connection. */
export function truncate(response: ServerResponse, bytes: Buffer): void {
  response.setHeader('content-length', bytes.length);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

/** Sends until the client closes the connection. */
export function sendWithoutEnd(response: ServerResponse): void {
  const more = (): void => {
    if (!response.destroyed) response.write(CHUNK, more);
  };
  more();
}
