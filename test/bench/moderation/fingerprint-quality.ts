import sharp from 'sharp';
import { type AskedHash, askedHashesOf } from '../../../apps/moderation/src/fingerprint/asked-hash';
import { bandsAround, bandsOf } from '../../../apps/moderation/src/fingerprint/hash-bands';
import { MAX_DISTANCE_BITS } from '../../../apps/moderation/src/fingerprint/known-outputs';
import { decodeImage } from '../../../apps/moderation/src/image/decode-image';
import { countBits, hashOf, type PerceptualHash } from '../../../apps/moderation/src/image/perceptual-hash';
import { randomImage } from '../../../apps/moderation/test/random-images.fixtures';
import type { Recognition } from './match-quality';

const SIDE = 384;
/** 1.5 % of a side. */
const CROPPED_PX = Math.round(SIDE * 0.015);

const cropped = (image: Buffer, px: number) =>
  sharp(image).extract({ left: px, top: px, width: SIDE - 2 * px, height: SIDE - 2 * px });

/** What happens to an output on its way through the web. */
const SHARED: Readonly<Record<string, (image: Buffer) => Promise<Buffer>>> = {
  'stripped and encoded anew': (image) => sharp(image).png({ palette: true }).toBuffer(),
  'at half its size': (image) =>
    sharp(image)
      .resize(SIDE / 2)
      .png()
      .toBuffer(),
  'at double its size': (image) =>
    sharp(image)
      .resize(SIDE * 2)
      .png()
      .toBuffer(),
  'as JPEG of quality 60': (image) => sharp(image).jpeg({ quality: 60 }).toBuffer(),
  'cropped by 1.5 % a side': (image) => cropped(image, CROPPED_PX).png().toBuffer(),
  'cropped, as JPEG of quality 60': (image) => cropped(image, CROPPED_PX).jpeg({ quality: 60 }).toBuffer(),
  'as a screenshot': async (image) =>
    sharp(await cropped(image, 1).png().toBuffer())
      .resize(Math.round(SIDE * 0.83))
      .webp({ quality: 75 })
      .toBuffer(),
};

/** The registry of fingerprints, in memory: the same bands and the same bound as the table. */
class Registry {
  private readonly hashes: PerceptualHash[] = [];
  private readonly byBand = new Map<string, number[]>();

  add(hash: PerceptualHash): void {
    const number = this.hashes.push(hash) - 1;
    for (const [band, value] of bandsOf(hash).entries()) {
      const key = `${band} ${value}`;
      this.byBand.set(key, [...(this.byBand.get(key) ?? []), number]);
    }
  }

  /** The numbers of the outputs that look like the asked picture. */
  find(asked: AskedHash): Set<number> {
    const candidates = bandsAround(asked).flatMap((values, band) =>
      values.flatMap((value) => this.byBand.get(`${band} ${value}`) ?? []),
    );
    return new Set(candidates.filter((number) => this.isNear(number, asked)));
  }

  private isNear(number: number, { hash, strong }: AskedHash): boolean {
    const known = this.hashes[number] ?? hash;
    const bits = hash.reduce((sum, word, at) => sum + countBits((word ^ (known[at] ?? 0)) & (strong[at] ?? 0)), 0);
    return bits <= MAX_DISTANCE_BITS;
  }
}

export interface FingerprintQuality {
  copies: Map<string, Recognition>;
  /** Other images that are taken for one of the outputs. */
  mistaken: number;
}

export async function measureFingerprints(outputs: number, others: number): Promise<FingerprintQuality> {
  const registry = new Registry();
  const copies = new Map<string, Recognition>();
  for (let number = 0; number < outputs; number++)
    registry.add(
      hashOf(
        await planeOf(
          await randomImage(number + 1, SIDE)
            .png()
            .toBuffer(),
        ),
      ),
    );
  for (let number = 0; number < outputs; number++) {
    const image = await randomImage(number + 1, SIDE)
      .png({ compressionLevel: 1 })
      .toBuffer();
    for (const [name, copy] of Object.entries(SHARED)) {
      const { recognised, all } = copies.get(name) ?? { recognised: 0, all: 0 };
      const found = await findIn(registry, await copy(image));
      copies.set(name, { recognised: recognised + (found.has(number) ? 1 : 0), all: all + 1 });
    }
  }
  let mistaken = 0;
  for (let number = 0; number < others; number++) {
    const image = await randomImage(outputs + number + 1_000)
      .png({ compressionLevel: 1 })
      .toBuffer();
    if ((await findIn(registry, image)).size > 0) mistaken += 1;
  }
  return { copies, mistaken };
}

async function findIn(registry: Registry, image: Buffer): Promise<Set<number>> {
  return new Set(askedHashesOf(await planeOf(image)).flatMap((asked) => [...registry.find(asked)]));
}

async function planeOf(image: Buffer): Promise<Float64Array> {
  const [view] = await decodeImage({ bytes: image }, { withJpeg: false });
  if (!view) throw new Error('The image has no view.');
  return view.plane;
}
