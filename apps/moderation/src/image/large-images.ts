import path from 'node:path';
import type { BackgroundProgram } from '@kinora/service-kit';

/** A request of the background process that decodes large images. */
export interface LargeImage {
  bytes: Buffer;
  withJpeg: boolean;
}

// In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
export const LARGE_IMAGES: BackgroundProgram = {
  file: path.join(__dirname, `large-images.worker${path.extname(__filename)}`),
};
