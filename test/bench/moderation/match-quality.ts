import sharp from 'sharp';
import { ImageHashEngine } from '../../../apps/moderation/src/image/image-hash.engine';
import { readTestImage, toKnownImage } from '../../../apps/moderation/src/image/known-image';
import { COPIES, copyInManyWays } from '../../../apps/moderation/test/image-copies.fixtures';
import { randomImage } from '../../../apps/moderation/test/random-images.fixtures';
import { shownImage } from '../../../apps/moderation/test/gate.fixtures';

/** Copies of one image with all alterations at once. */
const MIXED_COPIES = 100;
const REASON = 'known';

export interface Recognition {
  recognised: number;
  all: number;
}

/** For each kind of copy, whether the hash still recognises the test image in it. */
export async function measureCopiesOfTestImage(): Promise<Map<string, Recognition>> {
  return measureCopies([await readTestImage()]);
}

/** The same for other images: the range of the hash depends on the content of an image. */
export async function measureCopiesOfOthers(count: number): Promise<Recognition> {
  const images = Array.from({ length: count }, (_, number) =>
    randomImage(number + 1, 384)
      .png()
      .toBuffer(),
  );
  const counts = [...(await measureCopies(await Promise.all(images))).values()];
  return {
    recognised: counts.reduce((sum, { recognised }) => sum + recognised, 0),
    all: counts.reduce((sum, { all }) => sum + all, 0),
  };
}

async function measureCopies(images: readonly Buffer[]): Promise<Map<string, Recognition>> {
  const counts = new Map<string, Recognition>();
  for (const image of images) {
    const engine = new ImageHashEngine([await toKnownImage(REASON, image)]);
    for (const [name, copy] of Object.entries(COPIES)) {
      const count = counts.get(name) ?? { recognised: 0, all: 0 };
      const isRecognised = await recognises(engine, await copy(sharp(image)).toBuffer());
      counts.set(name, { recognised: count.recognised + (isRecognised ? 1 : 0), all: count.all + 1 });
    }
  }
  return counts;
}

export async function measureMixedCopies(): Promise<Recognition> {
  const image = await readTestImage();
  const engine = new ImageHashEngine([await toKnownImage(REASON, image)]);
  let recognised = 0;
  for (let round = 0; round < MIXED_COPIES; round++) {
    if (await recognises(engine, await copyInManyWays(image, round))) recognised += 1;
  }
  return { recognised, all: MIXED_COPIES };
}

/** The number of other images that match the test image (false positives). */
export async function countMistakenImages(count: number): Promise<number> {
  const engine = new ImageHashEngine([await toKnownImage(REASON, await readTestImage())]);
  let mistaken = 0;
  for (let number = 0; number < count; number++) {
    const image = await randomImage(number + 1_000)
      .png({ compressionLevel: 1 })
      .toBuffer();
    if (await recognises(engine, image)) mistaken += 1;
  }
  return mistaken;
}

async function recognises(engine: ImageHashEngine, bytes: Buffer): Promise<boolean> {
  return engine.findObjection(await shownImage(bytes)) === REASON;
}
