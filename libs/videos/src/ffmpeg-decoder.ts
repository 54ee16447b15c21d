import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { ffmpegEnvironment } from './ffmpeg-environment.config';
import { i420Bytes, type Picture } from './picture';
import type { ReadVideo } from './read-video';
import { EXIT_NOT_LOADED, type NodeProgram } from './take-video';
import { VideoProblem } from './video-problem';

/** Any rate: only the order of the pictures matters. */
const RATE = '25';

/** Where ffmpeg reads the elementary stream and writes raw pictures. */
export interface DecodingPlaces {
  /** The only protocol that ffmpeg may use. */
  protocol: 'pipe' | 'file';
  input: string;
  output: string;
}

/**
 * ffmpeg reads an elementary stream and writes pixels, so no demuxer and no file name from the provider is involved. It
 * stops at the first error instead of concealing it.
 */
export function decodingArguments({ protocol, input, output }: DecodingPlaces): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-xerror', '-err_detect', 'explode'],
    ...['-protocol_whitelist', protocol, '-f', 'h264', '-r', RATE, '-i', input],
    // Timestamps are replaced by a counter, so that no clock in the stream makes ffmpeg drop or repeat a picture.
    ...['-vf', `setpts=N/(${RATE}*TB)`, '-r', RATE, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', output],
  ];
}

const PIPES = { protocol: 'pipe', input: 'pipe:0', output: 'pipe:1' } as const;

/** Precedes each NAL unit of an elementary stream (H.264, Annex B). */
const START_CODE = Buffer.from([0, 0, 0, 1]);

type Ffmpeg = ChildProcessByStdio<Writable, Readable, null>;

/** A running ffmpeg, or null if no program of that name exists. */
export async function startFfmpeg(program: string, signal: AbortSignal): Promise<Ffmpeg | null> {
  return await startDecoder(program, decodingArguments(PIPES), signal);
}

/** ffmpeg as WebAssembly, in a separate Node process. */
export async function startBuiltInDecoder(
  { file, execArgv = process.execArgv }: NodeProgram,
  signal: AbortSignal,
): Promise<Ffmpeg> {
  const decoder = await startDecoder(process.execPath, [...execArgv, file], signal);
  if (!decoder)
    throw new Error(
      `The Node program ${process.execPath} no longer exists, so the built-in decoder cannot be started.`,
    );
  return decoder;
}

async function startDecoder(program: string, args: string[], signal: AbortSignal): Promise<Ffmpeg | null> {
  const decoder = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: ffmpegEnvironment(),
    signal,
    killSignal: 'SIGKILL',
  });
  // ffmpeg closes its input when it fails; its exit code gives the reason better than this error.
  decoder.stdin.on('error', () => undefined);
  try {
    await once(decoder, 'spawn');
    return decoder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The pictures of the video in the order of display. */
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
    // A kill by a deadline or by the out-of-memory killer is no fault of the video.
    if (code === null) throw new Error('The decoder was killed, by its time limit or for lack of memory.');
    if (code === EXIT_NOT_LOADED) throw new Error('The built-in decoder of videos cannot be loaded.');
    if (code !== 0 || filled > 0) {
      throw new VideoProblem('cannot_be_judged', `The pictures of the video cannot be decoded (${code}).`);
    }
  } finally {
    ffmpeg.kill('SIGKILL');
  }
}

/** Its exit code, or null if it was killed; an abort is reported as an error before that. */
function exitOf(ffmpeg: ChildProcess): Promise<number | null> {
  ffmpeg.on('error', () => undefined);
  return new Promise((resolve) => ffmpeg.once('close', resolve));
}

/** Everything that a decoder needs, without a container. */
function toElementaryStream({ parameters, pictures }: ReadVideo): Buffer {
  const units = [parameters.sequence, ...parameters.pictures, ...pictures.flatMap(({ slices }) => slices)];
  return Buffer.concat(units.flatMap((unit) => [START_CODE, unit]));
}
