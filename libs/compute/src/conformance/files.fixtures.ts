import { paintPng } from './paint-png.fixtures';

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
