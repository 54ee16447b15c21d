import sharp from 'sharp';
import { createTestLog } from '@kinora/testing';
import { builtInEngines, shownImage, testDecoder } from '../../test/gate.fixtures';
import { drawDoubtful } from '../../test/judged-files.fixtures';
import { Gate } from '../gate/gate';
import type { ShownImage } from '../judging/engine';
import { sha256Of } from '../judging/sha256';
import { readImageCanaries } from './image-canary';
import { LocalImageEngine, localPolicy } from './local-image.engine';

const engine = new LocalImageEngine(localPolicy());

function shown(sexual: readonly number[], hasYoungContext = false): ShownImage {
  const views = sexual.map((score) => ({ plane: new Float64Array(), jpeg: null, sexual: score }));
  return { param: null, sha256: '', hasYoungContext, views: () => views };
}

describe('the local image engine', () => {
  it.each([
    [0.64, false, null],
    [0.65, false, 'sexual'],
    [0.49, true, null],
    [0.5, true, 'sexual_young_context'],
    [0.9, true, 'sexual_young_context'],
  ])('finds a score of %d, with a young context: %s, to be %s', (score, hasYoungContext, objection) => {
    expect(engine.judge(shown([0.01, score], hasYoungContext))).toEqual({
      objection,
      isByThreshold: objection !== null,
      scores: { sexual: score, sexual_young_context: hasYoungContext ? score : 0 },
    });
  });

  it.each([[[]], [[NaN]], [[0.1, NaN]], [[-0.01]], [[1.01]]])(
    'has not judged an image with the scores %j',
    (scores) => {
      expect(() => engine.judge(shown(scores))).toThrow('The image model gave the score');
    },
  );

  it('blocks the last canary, whatever its format and size, and passes plain colours', async () => {
    const canary = (await readImageCanaries()).at(-1)?.bytes ?? Buffer.alloc(0);
    const copies = [
      sharp(canary).resize(1_200, 1_200).jpeg({ quality: 80 }),
      sharp(canary).resize(640, 480, { fit: 'fill' }).webp(),
    ];
    for (const copy of copies) {
      expect(engine.judge(await shownImage(await copy.toBuffer(), { isScored: true }))).toMatchObject({
        objection: 'sexual',
      });
    }
    const plain = sharp({ create: { width: 640, height: 480, channels: 3, background: '#e0ac96' } }).png();
    expect(engine.judge(await shownImage(await plain.toBuffer(), { isScored: true }))).toMatchObject({
      objection: null,
    });
  });

  it('judges images by a lower threshold where a text of the same request mentions a minor', async () => {
    const { text: texts } = await builtInEngines();
    const strict = new LocalImageEngine(localPolicy({ text: {}, image: { sexual_young_context: 0.2, sexual: 0.65 } }));
    const gate = new Gate({ text: texts, image: [strict] }, testDecoder(), createTestLog().logger);
    gate.trust();
    const bytes = await drawDoubtful();
    const images = [{ param: 'image', bytes, sha256: sha256Of(bytes) }];
    const judge = (text: string) => gate.judge({ texts: [{ param: 'prompt', text }], images });

    expect(await judge('a harbour at noon')).toMatchObject({ outcome: 'passed' });
    for (const text of ['a child at the beach', 'a schoolgirl reads', 'a swimmer who is 15 years old']) {
      expect(await judge(text)).toMatchObject({
        outcome: 'blocked',
        objection: { engine: 'local', reason: 'sexual_young_context', param: 'image' },
      });
    }
  });
});
