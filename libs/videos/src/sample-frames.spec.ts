import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { TYPESCRIPT_ARGUMENTS } from '@kinora/testing';
import { BUILT_IN_DECODER, EXIT_NOT_LOADED } from './take-video';
import { type FakeBehaviour, writeFakeFfmpeg } from './fake-ffmpeg.fixture';
import { findDecodingProblem, type FrameSampling, type SampledFrame, sampleFrames } from './sample-frames';
import { decodeWithFfmpeg, startBuiltInDecoder, startFfmpeg } from './ffmpeg-decoder';
import { movingSquare } from './mp4.fixtures';
import { boxesBetween } from './mp4-boxes';
import { readVideo } from './read-video';
import { VideoProblem } from './video-problem';

/** The time limit of tests that are not about it. A busy machine needs seconds to start a decoder. */
const TIMEOUT_MS = 60_000;
const SIZE = { width: 100, height: 68 };
const RECORDINGS = path.join(__dirname, '../recordings');
const builtInDecoder = { ...BUILT_IN_DECODER, execArgv: TYPESCRIPT_ARGUMENTS };

async function sampled(video: Buffer, sampling: Partial<FrameSampling>): Promise<SampledFrame[]> {
  const frames: SampledFrame[] = [];
  const all = { ffmpegPath: '', timeoutMs: TIMEOUT_MS, builtInDecoder, ...sampling };
  for await (const frame of sampleFrames(video, all)) frames.push(frame);
  return frames;
}

/** The same file, with damaged pixels in a picture at its middle. */
function withDamagedPicture(video: Buffer): Buffer {
  const copy = Buffer.from(video);
  const data = [...boxesBetween(copy, 0, copy.length)].find(({ type }) => type === 'mdat');
  if (!data) throw new Error('The video has no pictures.');
  const middle = Math.floor((data.start + data.end) / 2);
  // These bits are no valid macroblock. Some other bits would be valid, and then a decoder would draw them.
  return copy.fill(0x0f, middle, middle + 40);
}

describe('sample frames', () => {
  let video: Buffer;
  let folder: string;

  beforeAll(async () => {
    video = await movingSquare(SIZE);
    folder = await mkdtemp(path.join(os.tmpdir(), 'videos-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  describe('with the built-in decoder', () => {
    const sampledWithout = (bytes: Buffer) => sampled(bytes, { ffmpegPath: '' });

    it.each(['baseline', 'main', 'high'])('returns the pictures of profile %s as they were drawn', async (profile) => {
      const frames = await sampledWithout(await readFile(path.join(RECORDINGS, `h264-${profile}.mp4`)));
      expect(frames.map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
      for (const { index, rgb, ...size } of frames) {
        expect(size).toEqual(SIZE);
        expect(differenceAt(rgb, index + 8, 28, [250, 40, 30])).toBeLessThan(40);
        expect(differenceAt(rgb, 80, 60, [80, 60, 120])).toBeLessThan(40);
      }
    });

    it('returns the pictures of the sandbox, without the padding of their encoder', async () => {
      const frames = await sampledWithout(video);
      expect(frames.map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
      expect(frames.at(-1)).toMatchObject(SIZE);
      expect(differenceAt(frames.at(-1)?.rgb, 31, 28, [250, 40, 30])).toBeLessThan(40);
      expect(differenceAt(frames.at(-1)?.rgb, 80, 60, [80, 60, 120])).toBeLessThan(40);
    });

    it('cannot judge a video with a damaged picture', async () => {
      await expect(sampledWithout(withDamagedPicture(video))).rejects.toMatchObject({ reason: 'cannot_be_judged' });
    });

    it('passes a trial before the first video, and names the reason if it fails', async () => {
      const file = path.join(folder, 'no-decoder.cjs');
      await writeFile(file, `process.exit(${EXIT_NOT_LOADED})`);
      const sampling = { ffmpegPath: '', timeoutMs: TIMEOUT_MS, builtInDecoder };
      expect(await findDecodingProblem(sampling)).toBeNull();
      expect(await findDecodingProblem({ ...sampling, builtInDecoder: { file, execArgv: [] } })).toContain('be loaded');
      expect(await findDecodingProblem({ ...sampling, ffmpegPath: '/no/ffmpeg' })).toContain('/no/ffmpeg');
    });

    it('reports a decoder that cannot be loaded as no fault of the video', async () => {
      const file = path.join(folder, 'not-loaded.cjs');
      await writeFile(file, `process.exit(${EXIT_NOT_LOADED})`);
      await expect(sampled(video, { builtInDecoder: { file, execArgv: [] } })).rejects.toThrow('cannot be loaded');
    });

    it('ends it when it takes too long', async () => {
      const file = path.join(folder, 'endless.cjs');
      await writeFile(file, 'setInterval(() => undefined, 1_000);');
      const tooLong = new AbortController();
      const decoder = await startBuiltInDecoder({ file, execArgv: [] }, tooLong.signal);
      const picture = decodeWithFfmpeg(decoder, await readVideo(video)).next();
      tooLong.abort();
      await expect(picture).rejects.not.toBeInstanceOf(VideoProblem);
      expect(() => process.kill(decoder.pid ?? 0, 0)).toThrow('ESRCH');
    });
  });

  describe('with ffmpeg', () => {
    const fake = (behaviour: FakeBehaviour) => writeFakeFfmpeg(folder, SIZE, behaviour);

    it('returns what it decodes from an elementary stream, and passes none of our secrets in its environment', async () => {
      const frames = await sampled(video, { ffmpegPath: await fake('decode') });
      expect(frames.map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
      expect(frames.at(-1)).toMatchObject(SIZE);
      expect(frames.at(-1)?.rgb).toHaveLength(SIZE.width * SIZE.height * 3);
    });

    it.each<FakeBehaviour>(['lose a picture', 'fail'])('cannot judge a video if it is to: %s', async (behaviour) => {
      const ffmpegPath = await fake(behaviour);
      await expect(sampled(video, { ffmpegPath })).rejects.toMatchObject({ reason: 'cannot_be_judged' });
    });

    it('falls back to the built-in decoder when it was built without one of H.264', async () => {
      const ffmpegPath = await fake('know no H.264');
      expect((await sampled(video, { ffmpegPath })).map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
      await expect(sampled(withDamagedPicture(video), { ffmpegPath })).rejects.toMatchObject({
        reason: 'cannot_be_judged',
      });
    });

    it('stops at its time limit', async () => {
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

    it('does not fall back when a configured program is missing', async () => {
      await expect(sampled(video, { ffmpegPath: path.join(folder, 'none') })).rejects.toThrow('There is no ffmpeg at');
    });
  });

  it('falls back to the built-in decoder when no program is configured', async () => {
    expect((await sampled(video, {})).map(({ index }) => index)).toEqual([0, 4, 8, 12, 16, 20, 23]);
  });
});

function differenceAt(rgb: Buffer | undefined, x: number, y: number, colour: number[]): number {
  const at = (y * SIZE.width + x) * 3;
  return Math.max(...colour.map((value, i) => Math.abs(value - (rgb?.[at + i] ?? 0))));
}
