import path from 'node:path';
import type { BackgroundProgram } from '@kinora/service-kit';

// In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
export const LARGE_INPUTS: BackgroundProgram = {
  file: path.join(__dirname, `large-inputs.worker${path.extname(__filename)}`),
};
