import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { EXIT_NOT_LOADED, type NodeProgram } from './built-in-decoder';
import { decodingArguments } from './ffmpeg-arguments';
import { ffmpegEnvironment } from './ffmpeg-environment.config';
import { type Picture, i420Bytes } from './picture';
import type { ReadVideo } from './read-video';
import { VideoProblem } from './video-problem';

const PIPES = { protocol: 'pipe', input: 'pipe:0', output: 'pipe:1' } as const;

/** Before each NAL unit of an elementary stream (H.264, Annex B). */
const START_CODE = Buffer.from([0, 0, 0, 1]);

type Ffmpeg = ChildProcessByStdio<Writable, Readable, null>;

/** A running ffmpeg, or null where there is none of that name. */
export async function startFfmpeg(program: string, signal: AbortSignal): Promise<Ffmpeg | null> {
  return await startDecoder(program, decodingArguments(PIPES), signal);
}

/** ffmpeg as WebAssembly, in a process of Node's. */
export async function startBuiltInDecoder(
  { file, execArgv = process.execArgv }: NodeProgram,
  signal: AbortSignal,
): Promise<Ffmpeg> {
  const decoder = await startDecoder(process.execPath, [...execArgv, file], signal);
  if (!decoder) throw new Error('Node is not where this process was started from.');
  return decoder;
}

async function startDecoder(program: string, args: string[], signal: AbortSignal): Promise<Ffmpeg | null> {
  const decoder = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: ffmpegEnvironment(),
    signal,
    killSignal: 'SIGKILL',
  });
  // It closes its input when it gives up, which its exit code tells better.
  decoder.stdin.on('error', () => undefined);
  try {
    await once(decoder, 'spawn');
    return decoder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The pictures of the video in the order in which they are shown. */
export async function* decodeWithFfmpeg(ffmpeg: Ffmpeg, video: ReadVideo): AsyncGenerator<Picture> {
  const { width, height } = video.frame;
  const exit = exitOf(ffmpeg);
  try {
    ffmpeg.stdin.end(toElementaryStream(video));
    let planes = Buffer.alloc(i420Bytes(width, height));
    let filled = 0;
    for await (const chunk of ffmpeg.stdout as AsyncIterable<Buffer>) {
      for (let offset = 0; offset < chunk.length;) {
        const copied = chunk.copy(planes, filled, offset);
        offset += copied;
        filled += copied;
        if (filled < planes.length) continue;
        yield { width, height, planes };
        planes = Buffer.alloc(planes.length);
        filled = 0;
      }
    }
    const code = await exit;
    // By a deadline, or by a system without memory: that says nothing of the video.
    if (code === null) throw new Error('The decoder was killed.');
    if (code === EXIT_NOT_LOADED) throw new Error('The built-in decoder of videos cannot be loaded.');
    if (code !== 0 || filled > 0) {
      throw new VideoProblem('cannot_be_judged', `The pictures of the video cannot be decoded (${code}).`);
    }
  } finally {
    ffmpeg.kill('SIGKILL');
  }
}

/** Its exit code, or null when it was killed; aborting is reported as an error before that. */
function exitOf(ffmpeg: ChildProcess): Promise<number | null> {
  ffmpeg.on('error', () => undefined);
  return new Promise((resolve) => ffmpeg.once('close', resolve));
}

/** All that a decoder needs to know, without a container. */
function toElementaryStream({ parameters, pictures }: ReadVideo): Buffer {
  const units = [parameters.sequence, ...parameters.pictures, ...pictures.flatMap(({ slices }) => slices)];
  return Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
}
