import path from 'node:path';
import type { Provenance } from '@kinora/images';
import { readVideo } from './read-video';
import { writeVideo } from './write-video';

export interface TakenVideo {
  bytes: Buffer;
  mime: 'video/mp4';
  width: number;
  height: number;
  durationSeconds: number;
  fps: number;
}

/**
 * Turns a provider's MP4 into the file that is served, or throws a VideoProblem. A provider is not trusted: only the
 * pictures pass, in a new container with IPTC provenance metadata. Sound is dropped, because no engine judges it. The
 * same bytes always give the same bytes.
 */
export async function takeVideo(bytes: Uint8Array, { provenance }: { provenance: Provenance }): Promise<TakenVideo> {
  const video = await readVideo(bytes);
  const { frame, timing } = video;
  return {
    bytes: await writeVideo(video, provenance),
    mime: 'video/mp4',
    width: frame.width,
    height: frame.height,
    durationSeconds: timing.durationSeconds,
    fps: timing.fps,
  };
}

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
