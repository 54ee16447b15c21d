import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type VideoEncoder, type VideoFormat } from './video-encoder';
import { SECONDS_BETWEEN_KEY_FRAMES, writeMp4 } from './write-mp4';

/** The end of ffmpeg's error output names the failure. */
const MESSAGE_CHARACTERS = 500;

/** Writes the frames to a program that implements ffmpeg's command line. Nothing is written to a disk. */
export async function createFfmpegEncoder(program: string, format: VideoFormat): Promise<VideoEncoder> {
  const child = spawn(program, ffmpegArguments(format), { stdio: ['pipe', 'pipe', 'pipe'] });
  const file: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => file.push(chunk));
  // A program that exits early closes the pipe. Its error output is reported instead of this error.
  child.stdin.on('error', () => undefined);
  const ended = endOf(child);
  return {
    add: async (frame) => {
      // Copied, because the next frame is drawn over it before the pipe has accepted all of it.
      if (!child.stdin.write(Buffer.from(frame))) await Promise.race([drained(child), ended]);
    },
    finish: async () => {
      child.stdin.end();
      await ended;
      return writeMp4(Buffer.concat(file), format.fps);
    },
    close: async () => {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
}

function drained({ stdin }: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => stdin?.once('drain', resolve));
}

/** Resolves when the program has completed, and rejects with its error output when it has failed. */
function endOf(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MESSAGE_CHARACTERS);
  });
  const ended = (async () => {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`ffmpeg has failed: ${said.trim() || 'it wrote no reason.'}`);
  })();
  // The next add or finish reports the failure; until then the rejection must not count as unhandled.
  ended.catch(() => undefined);
  return ended;
}

function ffmpegArguments({ width, height, fps }: VideoFormat): string[] {
  const frames = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${width}x${height}`, '-framerate', `${fps}`];
  // The baseline profile, as in the built-in encoder, so that players and checks work with the output of either.
  const codec = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-profile:v', 'baseline'];
  const keyFrames = ['-g', `${Math.max(1, Math.round(fps * SECONDS_BETWEEN_KEY_FRAMES))}`];
  // One thread, and no metadata of encoder and time: the same frames give the same bytes.
  const exact = [
    '-threads',
    '1',
    '-flags',
    '+bitexact',
    '-fflags',
    '+bitexact',
    '-bsf:v',
    'filter_units=remove_types=6',
  ];
  const output = ['-f', 'mp4', '-movflags', '+frag_keyframe+empty_moov', 'pipe:1'];
  return ['-v', 'error', '-nostdin', ...frames, '-i', 'pipe:0', ...codec, ...keyFrames, ...exact, ...output];
}
