import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { withStartCode } from './annex-b';
import { type Picture, cropped } from './picture';
import type { ReadVideo } from './read-video';
import type { DecoderThreadData } from './tinyh264.worker';
import { VideoProblem } from './video-problem';

/** The program of a thread, and what Node must know to run it. */
export interface WorkerProgram {
  file: string;
  execArgv?: string[];
}

// Beside this file and like it: compiled in a build, TypeScript where Node has been taught to read that.
export const DECODER_THREAD: WorkerProgram = {
  file: path.join(__dirname, `tinyh264.worker${path.extname(__filename)}`),
};

/** The pictures of a video in constrained baseline, which is decoded in the order in which it is shown. */
export async function* decodeWithTinyH264(
  video: ReadVideo,
  { file, execArgv = process.execArgv }: WorkerProgram,
  signal: AbortSignal,
): AsyncGenerator<Picture> {
  const { sequence, pictures } = video.parameters;
  const workerData: DecoderThreadData = {
    parameters: [sequence, ...pictures].map(withStartCode),
    pictures: video.pictures.map(({ slices }) => slices.map(withStartCode)),
  };
  const worker = new Worker(file, { execArgv, workerData, env: {} });
  try {
    for (let i = 0; i < video.pictures.length; i++) {
      worker.postMessage('next');
      const [picture] = (await once(worker, 'message', { signal })) as [Picture];
      yield cropped(picture, video.frame);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw new VideoProblem('cannot_be_judged', 'The pictures of the video cannot be decoded.', { cause });
  } finally {
    await worker.terminate();
  }
}
