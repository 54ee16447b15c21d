import { paintPng } from './paint-png.fixtures';

/** One colour, 128x100: the size that the specs ask for. */
export const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAIAAAABkAQMAAAB0JaocAAAAA1BMVEUzZpk7I4HSAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQ4y2NgGAWjYBSMglEwCgYnAAAGpAAB8eSZLgAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * What a model draws of a seed at a place of its batch, 128x100. As with real models, the second image of a batch is not what the
 * next seed gives.
 */
export function drawImage(seed: number, place: number): Buffer {
  return paintPng(128, 100, colorOf(seed, place), '');
}

export function colorOf(seed: number, place: number): number {
  return (seed * 40_503 + place * 7_919_177) & 0xffffff;
}

/** Told apart from PICTURE by its bytes, which is all that an adapter may look at. */
export const OTHER_IMAGE = Buffer.concat([IMAGE, Buffer.from('another')]);

/** The head of an MP4 file: adapters carry videos, and never open them. */
export const CLIP = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypmp42'),
  Buffer.from([0, 0, 0, 0]),
  Buffer.from('mp42isom'),
  Buffer.alloc(512, 7),
]);
