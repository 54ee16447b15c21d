import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConfigError } from '@kinora/service-kit/without-nest';

/** A program that does not answer within this time is too slow to encode either. */
const ANSWER_WITHIN_MS = 10_000;

/**
 * The program to encode videos with: the configured one, else ffmpeg on the PATH, else none.
 * @throws ConfigError if the configured one cannot do it.
 */
export async function findFfmpeg(named: string): Promise<string | undefined> {
  const program = named || 'ffmpeg';
  if (await canEncode(program)) return program;
  if (named === '') return undefined;
  throw new ConfigError(`FFMPEG_PATH: is no ffmpeg with libx264 (it is "${named}")`);
}

async function canEncode(program: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(program, ['-hide_banner', '-encoders'], { timeout: ANSWER_WITHIN_MS });
    return /\blibx264\b/.test(stdout);
  } catch {
    return false;
  }
}
