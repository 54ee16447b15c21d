import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Opinion } from '../judging/engine';

/** The reason code of a decision that blocked this image. */
export const TEST_IMAGE_REASON = 'test_picture';

const FILE = path.join(__dirname, '../../assets/moderation-test.png');

/** The harmless image that every installation must block, so that no test needs real abuse material. */
export function readTestImage(): Promise<Buffer> {
  return readFile(FILE);
}

/** Whether every objection is to the test image: an objection to anything else makes it a real block. */
export function isOnlyTestImage(findings: readonly { opinion: Pick<Opinion, 'objection'> }[]): boolean {
  const objections = findings.map(({ opinion }) => opinion.objection).filter((objection) => objection !== null);
  return objections.length > 0 && objections.every((objection) => objection === TEST_IMAGE_REASON);
}
