import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { toElementaryStream } from './annex-b';
import { ffmpegEnvironment } from './ffmpeg-environment.config';
import { type Picture, i420Bytes } from './picture';
import type { ReadVideo } from './read-video';
import { VideoProblem } from './video-problem';

/** Any rate: only the order of the pictures counts. */
const RATE = '25';

/**
 * It reads an elementary stream from a pipe and writes pixels to a pipe, so that neither a demuxer nor a file name of the
 * provider's has a say, and gives up at the first error instead of painting over it.
 */
const ARGUMENTS = [
  ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-xerror', '-err_detect', 'explode'],
  ...['-protocol_whitelist', 'pipe', '-f', 'h264', '-r', RATE, '-i', 'pipe:0'],
  // Numbered anew, so that no clock in the stream makes it drop or repeat a picture.
  ...['-vf', `setpts=N/(${RATE}*TB)`, '-r', RATE, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1'],
];

type Ffmpeg = ChildProcessByStdio<Writable, Readable, null>;

/** A running ffmpeg, or null where there is none of that name. */
export async function startFfmpeg(program: string, signal: AbortSignal): Promise<Ffmpeg | null> {
  const ffmpeg = spawn(program, ARGUMENTS, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: ffmpegEnvironment(),
    signal,
    killSignal: 'SIGKILL',
  });
  // It closes its input when it gives up, which its exit code tells better.
  ffmpeg.stdin.on('error', () => undefined);
  try {
    await once(ffmpeg, 'spawn');
    return ffmpeg;
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
