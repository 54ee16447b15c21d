import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What a decision records of a block by it. */
export const TEST_PICTURE_REASON = 'test_picture';

const FILE = path.join(__dirname, '../../assets/moderation-test.png');

/** The harmless picture that every set of engines must block, so that no test needs real abuse. */
export function readTestPicture(): Promise<Buffer> {
  return readFile(FILE);
}
