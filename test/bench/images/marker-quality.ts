import sharp, { type Sharp } from 'sharp';
import { ExampleMarker } from '../../../apps/jobs/test/example-marker.fixtures';
import { randomImage } from '../../../apps/moderation/test/random-images.fixtures';
import { type Cell, textTable } from '../goals';

const SIDE = 512;
const IMAGES = 50;

const cropped = (image: Buffer, share: number) => {
  const px = Math.round(SIDE * share);
  return sharp(image).extract({ left: px, top: px, width: SIDE - 2 * px, height: SIDE - 2 * px });
};
const scaled = (image: Buffer, times: number) => sharp(image).resize(Math.round(SIDE * times));

/** What a marked image meets on its way. */
const ALTERATIONS: Readonly<Record<string, (image: Buffer) => Sharp>> = {
  none: (image) => sharp(image).png(),
  ...Object.fromEntries(
    [95, 80, 65, 50].map((quality) => [`JPEG ${quality}`, (image) => sharp(image).jpeg({ quality })]),
  ),
  'WebP 75': (image) => sharp(image).webp({ quality: 75 }),
  ...Object.fromEntries(
    [0.5, 0.75, 1.5, 2].map((times) => [`scaled by ${times}`, (image) => scaled(image, times).png()]),
  ),
  ...Object.fromEntries(
    [0.05, 0.125].map((share) => [`cropped by ${share * 100} % a side`, (image) => cropped(image, share).png()]),
  ),
};

/** What a detector reads: whether there is a mark, and its bits as a text of 0 and 1. */
interface Read {
  detected: boolean;
  bits: string;
}

/** Addresses of the program that marks, as `KINORA_MARKER_URL`, and of one that answers an image with what it reads. */
interface MarkerAddresses {
  mark: string;
  read: string;
}

/** Measures any marker behind HTTP; without addresses that of the specs. */
export async function measureMarker(addresses: MarkerAddresses | null): Promise<void> {
  if (addresses) return measureAt(addresses);
  const marker = await ExampleMarker.start();
  try {
    await measureAt({ mark: `${marker.url}/mark`, read: `${marker.url}/read` });
  } finally {
    await marker.close();
  }
}

async function measureAt({ mark, read }: MarkerAddresses): Promise<void> {
  const readBits = async (image: Buffer): Promise<Read> => JSON.parse((await post(read, image)).toString()) as Read;
  const sums = new Map(Object.keys(ALTERATIONS).map((name) => [name, { accuracy: 0, detected: 0 }]));
  let mistaken = 0;
  let noiseDb = 0;
  for (let number = 1; number <= IMAGES; number++) {
    const image = await randomImage(number, SIDE).png().toBuffer();
    if ((await readBits(image)).detected) mistaken += 1;
    const marked = await post(mark, image);
    noiseDb += (await noiseOf(image, marked)) / IMAGES;
    const { bits: written } = await readBits(marked);
    for (const [name, alter] of Object.entries(ALTERATIONS)) {
      const { bits, detected } = await readBits(await alter(marked).toBuffer());
      const sum = sums.get(name);
      if (!sum) continue;
      sum.accuracy += shareOfEqual(bits, written) / IMAGES;
      sum.detected += detected ? 1 / IMAGES : 0;
    }
  }
  const rows = [...sums].map(([name, { accuracy, detected }]): Cell[] => [name, 100 * accuracy, 100 * detected]);
  console.log(textTable(['alteration', 'bits right, %', 'detected, %'], rows));
  console.log(`\n${mistaken} of ${IMAGES} images without a mark are taken for marked. PSNR: ${noiseDb.toFixed(1)} dB.`);
}

async function post(url: string, image: Buffer): Promise<Buffer> {
  const headers = { 'content-type': `image/${(await sharp(image).metadata()).format}` };
  const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(image) });
  if (!answer.ok) throw new Error(`${url} has answered with status ${answer.status}.`);
  return Buffer.from(await answer.arrayBuffer());
}

function shareOfEqual(bits: string, written: string): number {
  return [...written].filter((bit, at) => bits[at] === bit).length / written.length;
}

/** Peak signal-to-noise ratio of the marked image: from about 40 dB upwards eyes see no difference. */
async function noiseOf(image: Buffer, marked: Buffer): Promise<number> {
  const [before, after] = await Promise.all([image, marked].map((one) => sharp(one).removeAlpha().raw().toBuffer()));
  if (!before || !after) return NaN;
  const error = before.reduce((sum, value, at) => sum + (value - (after[at] ?? 0)) ** 2, 0) / before.length;
  return 10 * Math.log10(255 ** 2 / error);
}
