import sharp from 'sharp';
import { sha256Of } from '../../../apps/moderation/src/gate/sha256';
import { ImageHashEngine } from '../../../apps/moderation/src/image/image-hash.engine';
import { toKnownImage } from '../../../apps/moderation/src/image/known-image';
import { COPIES, copyInManyWays } from '../../../apps/moderation/src/image/picture-copies.fixtures';
import { randomPicture } from '../../../apps/moderation/src/image/random-pictures.fixtures';
import { readTestPicture } from '../../../apps/moderation/src/image/test-picture';

/** Copies of one picture under everything at once. */
const MIXED_COPIES = 100;
const REASON = 'known';

/** For each kind of copy, how many of some pictures are still recognised in it. */
export async function measureCopies(pictures: number): Promise<Map<string, { recognised: number; all: number }>> {
  const counts = new Map<string, { recognised: number; all: number }>();
  for (const picture of await somePictures(pictures)) {
    const engine = new ImageHashEngine([await toKnownImage(REASON, picture)]);
    for (const [name, copy] of Object.entries(COPIES)) {
      const count = counts.get(name) ?? { recognised: 0, all: 0 };
      const isRecognised = await recognises(engine, await copy(sharp(picture)).toBuffer());
      counts.set(name, { recognised: count.recognised + (isRecognised ? 1 : 0), all: count.all + 1 });
    }
  }
  return counts;
}

export async function measureMixedCopies(): Promise<{ recognised: number; all: number }> {
  const picture = await readTestPicture();
  const engine = new ImageHashEngine([await toKnownImage(REASON, picture)]);
  let recognised = 0;
  for (let round = 0; round < MIXED_COPIES; round++) {
    if (await recognises(engine, await copyInManyWays(picture, round))) recognised += 1;
  }
  return { recognised, all: MIXED_COPIES };
}

/** How many of other pictures are taken for the test picture. */
export async function countMistakenPictures(count: number): Promise<number> {
  const engine = new ImageHashEngine([await toKnownImage(REASON, await readTestPicture())]);
  let mistaken = 0;
  for (let number = 0; number < count; number++) {
    const picture = await randomPicture(number + 1_000)
      .png({ compressionLevel: 1 })
      .toBuffer();
    if (await recognises(engine, picture)) mistaken += 1;
  }
  return mistaken;
}

async function somePictures(count: number): Promise<Buffer[]> {
  const painted = Array.from({ length: count - 1 }, (_, number) =>
    randomPicture(number + 1, 384)
      .png()
      .toBuffer(),
  );
  return [await readTestPicture(), ...(await Promise.all(painted))];
}

async function recognises(engine: ImageHashEngine, bytes: Buffer): Promise<boolean> {
  return (await engine.findObjection({ param: null, bytes, sha256: sha256Of(bytes) })) === REASON;
}
