import sharp from 'sharp';
import { SemaphoreTimeout } from '@kinora/service-kit';
import { createTestLog } from '@kinora/testing';
import { ORDINARY_IMAGES } from '../../test/ordinary-images.fixture';
import { BENIGN_PROMPTS } from '../../test/benign-prompts.fixture';
import { TEST_TEXT } from '../text/lexicon';
import { readTestImage } from '../image/known-image';
import { randomImage } from '../../test/random-images.fixtures';
import { builtInEngines, imageProcessScoring, testDecoder, unscored } from '../../test/gate.fixtures';
import type { Engine, Engines, LoadedImage } from '../judging/engine';
import { Gate } from './gate';
import { sha256Of } from '../judging/sha256';

const benign = { param: 'prompt', text: BENIGN_PROMPTS[0] ?? '' };
/** What sha256sum prints for it. */
const BENIGN_SHA256 = 'a8290467eb9aeb8aaf47e104dc72afadd776eae1811b214eaa275ff120ed905d';
/** Of a video of five seconds. */
const FRAMES = 22;
/** More than enough for the frames of three videos, ten in each. */
const MOST_ROUNDS = 20;
const forbidden = { param: 'negative_prompt', text: TEST_TEXT };

function loaded(bytes: Buffer, param: string | null = null): LoadedImage {
  return { param, bytes, sha256: sha256Of(bytes) };
}

function engine(findObjection: () => Promise<string | null>): Engine<unknown> {
  return { name: 'told', version: '1', judge: async () => ({ objection: await findObjection(), scores: {} }) };
}

describe('gate', () => {
  let engines: Engines;
  const log = createTestLog();

  beforeAll(async () => {
    engines = await builtInEngines();
  });

  const gateWith = (...more: Engine<unknown>[]) => {
    const gate = new Gate(
      { text: [...engines.text, ...more], image: [...engines.image, ...more] },
      testDecoder({}, unscored()),
      log.logger,
    );
    gate.trust();
    return gate;
  };

  it('passes nothing until it is trusted, and goes on blocking', async () => {
    const gate = gateWith();
    gate.distrust();

    await expect(gate.judge({ texts: [benign], images: [] })).rejects.toMatchObject({ code: 'capacity' });
    expect(await gate.judge({ texts: [forbidden], images: [] })).toMatchObject({ outcome: 'blocked' });
  });

  it('passes content without objections, and returns its hashes', async () => {
    const verdict = await gateWith(engine(async () => null)).judge({ texts: [benign], images: [] });

    expect(verdict).toMatchObject({
      outcome: 'passed',
      judgement: { contentSha256: [BENIGN_SHA256] },
    });
  });

  it('names the first field that any engine objects to', async () => {
    const image = loaded(await readTestImage(), 'images[1]');

    expect(await gateWith().judge({ texts: [benign, forbidden], images: [image] })).toMatchObject({
      outcome: 'blocked',
      objection: { content: 'text', param: 'negative_prompt', engine: 'rules', reason: 'test_text' },
    });
    expect(await gateWith().judge({ texts: [benign], images: [image] })).toMatchObject({
      outcome: 'blocked',
      objection: { content: 'image', param: 'images[1]', engine: 'hash', reason: 'test_picture' },
    });
  });

  it('passes nothing when an engine fails', async () => {
    const broken = engine(() => Promise.reject(new Error('out of order')));

    await expect(gateWith(broken).judge({ texts: [benign], images: [] })).rejects.toMatchObject({
      code: 'capacity',
      retryAfterSeconds: 1,
    });
    expect(log.of('moderation_engine_failed').map((line) => line['engine'])).toEqual(['told']);
  });

  it('names an input that does not decode before an objection, and an objection before such an output', async () => {
    const image = await readTestImage();
    const whole = await Promise.all(
      (['png', 'jpeg', 'webp'] as const).map((type) => sharp(image).toFormat(type).toBuffer()),
    );
    const cut = whole.map((bytes) => bytes.subarray(0, -(bytes.length >> 2)));
    for (const bytes of [Buffer.from('no image'), ...cut]) {
      const unreadable = { ...loaded(bytes), param: 'images[0]' };
      await expect(gateWith().judge({ texts: [forbidden], images: [unreadable] })).rejects.toMatchObject({
        name: 'ImageProblem',
        param: 'images[0]',
      });
      const outputs = [image, bytes].map((output) => ({ ...loaded(output), param: null }));
      expect(await gateWith().judge({ texts: [], images: outputs })).toMatchObject({ outcome: 'blocked' });
      await expect(gateWith().judge({ texts: [], images: outputs.slice(1) })).rejects.toMatchObject({ param: null });
    }
  });

  it('blocks what one engine objects to although another fails', async () => {
    const broken = engine(() => Promise.reject(new Error('out of order')));

    expect(await gateWith(broken).judge({ texts: [forbidden], images: [] })).toMatchObject({ outcome: 'blocked' });
  });

  it('passes nothing when an engine does not answer in time', async () => {
    jest.useFakeTimers();
    try {
      const judged = gateWith(engine(() => new Promise(() => undefined))).judge({ texts: [benign], images: [] });
      const refused = expect(judged).rejects.toMatchObject({ code: 'capacity' });
      await jest.advanceTimersByTimeAsync(5_000);
      await refused;
    } finally {
      jest.useRealTimers();
    }
  });

  it('passes nothing when there is no content, or no engine', async () => {
    await expect(gateWith().judge({ texts: [], images: [] })).rejects.toThrow('There is no content to judge');
    expect(() => new Gate({ text: [], image: engines.image }, testDecoder({}, unscored()), log.logger)).toThrow(
      'let everything pass',
    );
  });

  describe('of a video', () => {
    const videoOf = (...frames: (LoadedImage | Error)[]) => ({
      sha256: sha256Of('video'),
      frames: async function* () {
        for (const frame of frames) {
          if (frame instanceof Error) throw frame;
          yield frame;
        }
      },
    });
    const judge = (...frames: (LoadedImage | Error)[]) =>
      gateWith().judge({ texts: [], images: [], videos: [videoOf(...frames)] });
    let known: LoadedImage;
    let ordinary: LoadedImage;

    beforeAll(async () => {
      known = loaded(await readTestImage());
      ordinary = loaded(await (ORDINARY_IMAGES['rings']?.() ?? sharp()).png().toBuffer());
    });

    it('passes one by the hash of its file', async () => {
      expect(await judge(ordinary, ordinary)).toMatchObject({
        outcome: 'passed',
        judgement: { contentSha256: [sha256Of('video')] },
      });
    });

    it('blocks it for a single frame, and reads no further frame', async () => {
      expect(await judge(ordinary, known, new Error('never asked for'))).toMatchObject({
        outcome: 'blocked',
        objection: { content: 'video', engine: 'hash', reason: 'test_picture' },
      });
    });

    it('ends with three at once that are not scored in time, because a repeat goes on with the frames that are left', async () => {
      let inTime = 0;
      const images = imageProcessScoring(async (samples) => {
        inTime -= samples.length;
        if (inTime < 0) throw new SemaphoreTimeout();
        return samples.map(() => 0);
      });
      const gate = new Gate(engines, testDecoder({}, images), log.logger);
      gate.trust();
      const frames = Array.from({ length: 3 * FRAMES }, (_, number) => randomImage(number).png().toBuffer());
      const loadedFrames = (await Promise.all(frames)).map((bytes) => loaded(bytes));
      const videos = [0, 1, 2].map((number) => videoOf(...loadedFrames.slice(number * FRAMES, (number + 1) * FRAMES)));
      const outcomes: string[] = [];
      for (let round = 0; round < MOST_ROUNDS && videos.length > 0; round++) {
        inTime = 10;
        const judged = videos.splice(0).map(async (video) => {
          const verdict = await gate.judge({ texts: [], images: [], videos: [video] }).catch(() => null);
          if (verdict === null) videos.push(video);
          else outcomes.push(verdict.outcome);
        });
        await Promise.all(judged);
      }
      expect(outcomes).toEqual(['passed', 'passed', 'passed']);
    });

    it('passes no video that is truncated, has an unreadable frame, or has no frame', async () => {
      for (const frames of [[ordinary, new Error('cut off')], [loaded(Buffer.from('no image')), ordinary], []]) {
        await expect(judge(...frames)).rejects.toMatchObject({ code: 'capacity' });
      }
    });
  });
});
