import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { askedHashesOf } from '../../../apps/moderation/src/fingerprint/asked-hash';
import { luminancesOf } from '../../../apps/moderation/src/fingerprint/field-luminances';
import type { FingerprintRepository } from '../../../apps/moderation/src/fingerprint/fingerprint.repository';
import { decodeImage } from '../../../apps/moderation/src/image/decode-image';
import { hashOf } from '../../../apps/moderation/src/image/perceptual-hash';
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

export interface FingerprintQuality {
  copies: Map<string, Recognition>;
  /** Other images that are taken for one of the outputs. */
  mistaken: number;
}

export async function measureFingerprints(
  fingerprints: FingerprintRepository,
  { outputs, others }: { outputs: number; others: number },
): Promise<FingerprintQuality> {
  // The model of an output is its number.
  const find = async (image: Buffer): Promise<string | null> => {
    const known = await fingerprints.findCopied(askedHashesOf(await planeOf(image)));
    return known?.model ?? null;
  };
  for (let number = 0; number < outputs; number++) {
    const plane = await planeOf(await paint(number + 1, SIDE));
    const pictures = [{ hash: hashOf(plane), luminances: luminancesOf(plane) }];
    await fingerprints.record([{ fileSha256: sha256Of(`output ${number}`), pictures }], String(number));
  }
  const copies = new Map<string, Recognition>();
  for (let number = 0; number < outputs; number++) {
    const image = await paint(number + 1, SIDE);
    for (const [name, copy] of Object.entries(SHARED)) {
      const { recognised, all } = copies.get(name) ?? { recognised: 0, all: 0 };
      const isRecognised = (await find(await copy(image))) === String(number);
      copies.set(name, { recognised: recognised + (isRecognised ? 1 : 0), all: all + 1 });
    }
  }
  let mistaken = 0;
  for (let number = 0; number < others; number++)
    if ((await find(await paint(outputs + number + 1_000))) !== null) mistaken += 1;
  return { copies, mistaken };
}

function paint(number: number, side?: number): Promise<Buffer> {
  return randomImage(number, side).png({ compressionLevel: 1 }).toBuffer();
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function planeOf(image: Buffer): Promise<Float64Array> {
  const [view] = await decodeImage({ bytes: image }, { withJpeg: false });
  if (!view) throw new Error('The image has no view.');
  return view.plane;
}
