import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Opinion } from '../judging/engine';

/** What a decision records of a block by it. */
export const TEST_IMAGE_REASON = 'test_picture';

const FILE = path.join(__dirname, '../../assets/moderation-test.png');

/** The harmless image that every set of engines must block, so that no test needs real abuse. */
export function readTestImage(): Promise<Buffer> {
  return readFile(FILE);
}

/** Whether the image is all that was objected to: one finding of anything else makes a block a real one. */
export function isOnlyTestImage(findings: readonly { opinion: Pick<Opinion, 'objection'> }[]): boolean {
  const objections = findings.map(({ opinion }) => opinion.objection).filter((objection) => objection !== null);
  return objections.length > 0 && objections.every((objection) => objection === TEST_IMAGE_REASON);
}
