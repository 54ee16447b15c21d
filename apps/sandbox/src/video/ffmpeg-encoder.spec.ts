import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError } from '@kinora/service-kit';
import { folderWithFakeFfmpeg } from '../fixtures/fake-ffmpeg.fixtures';
import { probeVideo } from '../fixtures/probe-video.fixtures';
import { createFfmpegEncoder } from './ffmpeg-encoder';
import { findFfmpeg } from './find-ffmpeg';

const format = { width: 64, height: 48, fps: 12.5 };
const frame = new Uint8Array((64 * 48 * 3) / 2).fill(128);

describe('ffmpeg encoder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await folderWithFakeFfmpeg();
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('writes the frames to the program and reads the video from it, at its exact times', async () => {
    const encoder = await createFfmpegEncoder(path.join(folder, 'ffmpeg'), format);
    for (let i = 0; i < 25; i++) await encoder.add(frame);
    const video = await encoder.finish();
    await encoder.close();
    expect(await probeVideo(video)).toEqual({ codec: 'avc', ...format, frames: 25, duration: 2 });
  });

  it.each([
    ['broken-ffmpeg', 'ffmpeg has failed: out of film'],
    ['no-ffmpeg', 'ENOENT'],
  ])('fails with the reason when the program is %s', async (name, reason) => {
    const encoder = await createFfmpegEncoder(path.join(folder, name), format);
    const encoded = (async () => {
      // More than any pipe buffers, so that waiting for a program that has exited would hang here.
      for (let i = 0; i < 500; i++) await encoder.add(frame);
      return encoder.finish();
    })();
    await expect(encoded).rejects.toThrow(reason);
    await encoder.close();
  });

  it('can be closed in the middle', async () => {
    const encoder = await createFfmpegEncoder(path.join(folder, 'ffmpeg'), format);
    await encoder.add(frame);
    await encoder.close();
    await expect(encoder.finish()).rejects.toThrow('ffmpeg has failed');
  });

  it('is used if its program is configured, and an invalid program is refused', async () => {
    const program = path.join(folder, 'ffmpeg');
    expect(await findFfmpeg(program)).toBe(program);
    await expect(findFfmpeg(path.join(folder, 'broken-ffmpeg'))).rejects.toBeInstanceOf(ConfigError);
  });
});
