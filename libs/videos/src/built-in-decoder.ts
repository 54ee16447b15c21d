import path from 'node:path';

/** A program of Node's, and what Node must know to run it. */
export interface NodeProgram {
  file: string;
  execArgv?: string[];
}

// Beside this file and like it: compiled in a build, TypeScript where Node has been taught to read that.
export const BUILT_IN_DECODER: NodeProgram = {
  file: path.join(__dirname, `built-in-decoder.worker${path.extname(__filename)}`),
};

/** Its exit code where the decoder itself cannot be loaded, which says nothing of the video. */
export const EXIT_NOT_LOADED = 70;
