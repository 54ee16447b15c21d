import { readFile } from 'node:fs/promises';
import path from 'node:path';

const FILE = path.join(__dirname, '../../assets/moderation-test.png');

/** The harmless picture that every set of engines must block, so that no test needs real abuse. */
export function readTestPicture(): Promise<Buffer> {
  return readFile(FILE);
}
