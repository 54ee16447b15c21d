import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { TYPESCRIPT_ARGUMENTS } from '@kinora/testing';
import { type FakeBehaviour, writeFakeFfmpeg } from './fake-ffmpeg.fixture';
import { decodeWithFfmpeg, startFfmpeg } from './ffmpeg-decoder';
import { movingSquare } from './mp4.fixtures';
import { boxesBetween } from './mp4-boxes';
import { pickFrames } from './pick-frames';
import { toRgb } from './picture';
import { readVideo } from './read-video';
import { type FrameSampling, type SampledFrame, sampleFrames } from './sample-frames';
import { VideoProblem } from './video-problem';
import { DECODER_THREAD, decodeWithTinyH264 } from './tinyh264-decoder';

const SIZE = { width: 100, height: 68 };
const decoderThread = { ...DECODER_THREAD, execArgv: TYPESCRIPT_ARGUMENTS };

async function sampled(video: Buffer, sampling: Partial<FrameSampling>): Promise<SampledFrame[]> {
  const frames: SampledFrame[] = [];
  const all = { ffmpegPath: '', timeoutMs: 15_000, decoderThread, ...sampling };
  for await (const frame of sampleFrames(video, all)) frames.push(frame);
  return frames;
}

/** The same file, but the pixels of a picture in its middle are others. */
function withDamagedPicture(video: Buffer): Buffer {
  const copy = Buffer.from(video);
  const data = [...boxesBetween(copy, 0, copy.length)].find(({ type }) => type === 'mdat');
  if (!data) throw new Error('The video has no pictures.');
  const middle = Math.floor((data.start + data.end) / 2);
  return copy.fill(0xff, middle, middle + 40);
}

describe('sample frames', () => {
  let video: Buffer;

  beforeAll(async () => {
    video = await movingSquare(SIZE);
  });

  describe('with the built-in decoder', () => {
    const withoutFfmpeg = async (bytes: Buffer, timeoutMs = 15_000) => {
      const read = await readVideo(bytes);
      const pictures = decodeWithTinyH264(read, decoderThread, AbortSignal.timeout(timeoutMs));
      const frames = [];
      for await (const frame of pickFrames(pictures, { frames: read.pictures.length, fps: 16 })) frames.push(frame);
      return frames;
    };

    it('shows the pictures as they were drawn, without the padding of their encoder', async () => {
      const frames = await withoutFfmpeg(video);

      expect(frames.map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
      const last = frames.at(-1)?.picture;
      expect(last).toMatchObject(SIZE);
      const rgb = await toRgb(last ?? { width: 0, height: 0, planes: new Uint8Array() });
      expect(differenceAt(rgb, 31, 28, [250, 40, 30])).toBeLessThan(40);
      expect(differenceAt(rgb, 80, 60, [80, 60, 120])).toBeLessThan(40);
    });

    it('cannot judge a video with a damaged picture', async () => {
      await expect(withoutFfmpeg(withDamagedPicture(video))).rejects.toMatchObject({ name: 'VideoProblem' });
    });

    it('gives up in time', async () => {
      await expect(withoutFfmpeg(video, 0)).rejects.toMatchObject({ name: 'TimeoutError' });
    });
  });

  describe('with ffmpeg', () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'videos-'));
    });

    afterAll(() => rm(folder, { recursive: true }));

    const fake = (behaviour: FakeBehaviour) => writeFakeFfmpeg(folder, SIZE, behaviour);

    it('shows what it decodes from an elementary stream, and keeps no secret of ours in its environment', async () => {
      const frames = await sampled(video, { ffmpegPath: await fake('decode') });

      expect(frames.map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
      expect(frames.at(-1)).toMatchObject(SIZE);
      expect(frames.at(-1)?.rgb).toHaveLength(SIZE.width * SIZE.height * 3);
    });

    it.each<FakeBehaviour>(['lose a picture', 'fail'])('cannot judge a video when it says: %s', async (behaviour) => {
      const ffmpegPath = await fake(behaviour);

      await expect(sampled(video, { ffmpegPath })).rejects.toMatchObject({ reason: 'cannot_be_judged' });
    });

    it('does with the built-in decoder when it was built without one of H.264', async () => {
      const ffmpegPath = await fake('know no H.264');

      expect((await sampled(video, { ffmpegPath })).map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
      await expect(sampled(withDamagedPicture(video), { ffmpegPath })).rejects.toMatchObject({
        reason: 'cannot_be_judged',
      });
    });

    it('gives up in time', async () => {
      await expect(sampled(video, { ffmpegPath: await fake('hang'), timeoutMs: 0 })).rejects.toThrow();
    });

    it('ends it when it takes too long', async () => {
      const tooLong = new AbortController();
      const ffmpeg = await startFfmpeg(await fake('hang'), tooLong.signal);
      if (!ffmpeg?.pid) throw new Error('It has not been started.');
      const { pid } = ffmpeg;
      const picture = decodeWithFfmpeg(ffmpeg, await readVideo(video)).next();
      tooLong.abort();

      await expect(picture).rejects.not.toBeInstanceOf(VideoProblem);
      expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });

    it('does not do without the one that was asked for', async () => {
      await expect(sampled(video, { ffmpegPath: path.join(folder, 'none') })).rejects.toThrow('There is no ffmpeg at');
    });
  });

  it('does with what there is when no ffmpeg was asked for', async () => {
    expect((await sampled(video, {})).map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
  });
});

function differenceAt(rgb: Buffer, x: number, y: number, colour: number[]): number {
  const at = (y * SIZE.width + x) * 3;
  return Math.max(...colour.map((value, i) => Math.abs(value - (rgb[at + i] ?? 0))));
}
