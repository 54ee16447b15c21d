import path from 'node:path';

/** A Node program, and the arguments that Node needs to run it. */
export interface NodeProgram {
  file: string;
  execArgv?: string[];
}

// In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
export const BUILT_IN_DECODER: NodeProgram = {
  file: path.join(__dirname, `built-in-decoder.worker${path.extname(__filename)}`),
};

/** The exit code if the decoder itself cannot be loaded, which is no fault of the video. */
export const EXIT_NOT_LOADED = 70;
