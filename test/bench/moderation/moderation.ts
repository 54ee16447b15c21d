// Measures what the image model blocks of images that show nothing sexual, and its processor time: `npm run bench -- moderation [PHOTOS]`,
// where PHOTOS is a folder of photographs.
import { type FalseBlocks, measureBenignImages, measureVideo } from './image-quality';

const BENIGN_IMAGES = 1_000;
/** By the default threshold, and by that of a job whose text mentions a minor. */
const MAX_BLOCKED = { ordinary: 0.01, young: 0.03 };
const MAX_IMAGE_CPU_MS = 50;
const MAX_VIDEO_CPU_MS = 1_000;

let missedBounds = 0;

async function main(folder: string | undefined): Promise<void> {
  const { drawings, textures, photographs, decodeMs, scoreMs } = await measureBenignImages(BENIGN_IMAGES, folder);
  reportBlocked('drawings of the sandbox', drawings);
  reportBlocked('textures in the colours of skin', textures);
  if (photographs) reportBlocked('photographs and their parts', photographs);
  console.log(`        ${'an image, decode'.padEnd(46)} ${decodeMs.toFixed(0)} ms of CPU, median`);
  report('an image, score', `${scoreMs.toFixed(0)} ms of CPU, median`, scoreMs <= MAX_IMAGE_CPU_MS);
  const { frames, scoreCpuMs } = await measureVideo();
  const video = `${scoreCpuMs.toFixed(0)} ms of CPU, ${frames} frames`;
  report('a video of 5 s, score', video, scoreCpuMs <= MAX_VIDEO_CPU_MS);
  process.exitCode = missedBounds === 0 ? 0 : 1;
}

function reportBlocked(what: string, { images, blocked, blockedWhereYoung }: FalseBlocks): void {
  const isRare = blocked <= MAX_BLOCKED.ordinary * images && blockedWhereYoung <= MAX_BLOCKED.young * images;
  report(`${what} blocked`, `${blocked} of ${images}, with a mention of a minor ${blockedWhereYoung}`, isRare);
}

function report(what: string, measured: string, isWithinBound: boolean): void {
  if (!isWithinBound) missedBounds += 1;
  console.log(`${isWithinBound ? 'ok    ' : 'MISSED'}  ${what.padEnd(46)} ${measured}`);
}

void main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
