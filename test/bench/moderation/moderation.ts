import { timeLookUps, withRegistry } from './fingerprint-lookups';
import { measureFingerprints } from './fingerprint-quality';
import { type FalseBlocks, measureBenignImages, measureVideo } from './image-quality';
import {
  countMistakenImages,
  measureCopiesOfOthers,
  measureCopiesOfTestImage,
  measureMixedCopies,
} from './match-quality';
import {
  type Percentiles,
  findRefused,
  harmlessPrompts,
  makeEngine,
  measureComposedRecall,
  measureScreeningMs,
  measureSingleRecall,
} from './text-quality';

const MIN_VARIANTS = 5_000;
const MIN_EVASIONS = 30;
const MIN_RECALL = 0.995;
const HARMLESS_PROMPTS = 3_000;
const MAX_FALSE_POSITIVES = 0.01;
const MAX_P99_MS = 5;
const OTHER_IMAGES = 10_000;
const COPIED_IMAGES = 9;
const OUTPUTS = 1_000;
const MIN_RECOGNISED = 0.99;
const REGISTRY_ROWS = 10_000_000;
const MAX_LOOK_UP_MS = 5;
const BENIGN_IMAGES = 1_000;
/** By the default threshold, and by that of a job whose text mentions a minor. */
const MAX_BLOCKED = { ordinary: 0.01, young: 0.03 };
const MAX_IMAGE_CPU_MS = 50;
const MAX_VIDEO_CPU_MS = 1_000;

let missedBounds = 0;

/** `fingerprints [ROWS]` measures the registry alone, and `images [PHOTOS]` the image model. */
async function main([part, of]: string[]): Promise<void> {
  if (part === 'fingerprints') await reportFingerprints(Number(of ?? REGISTRY_ROWS));
  else if (part === 'images') await reportImageModel(of);
  else await reportAll(part);
  process.exitCode = missedBounds === 0 ? 0 : 1;
}

async function reportAll(photographs: string | undefined): Promise<void> {
  const engine = makeEngine();
  const single = measureSingleRecall(engine, 5);
  const composed = measureComposedRecall(engine, 3);
  const variants = single.variants + composed.variants;
  const recall = (single.share * single.variants + composed.share * composed.variants) / variants;
  const evaded = [...single.byEvasion].filter(([, share]) => share < 1).map(([evasion]) => evasion);
  report('listed evasions', `${single.evasions}`, single.evasions >= MIN_EVASIONS);
  report(
    'of them all variants blocked',
    `${single.evasions - evaded.length} ${evaded.join(', ')}`,
    evaded.length === 0,
  );
  report('variants', `${variants}, of which two evasions composed ${composed.variants}`, variants >= MIN_VARIANTS);
  report('recall', `${percent(recall)}, of composed ones ${percent(composed.share)}`, recall >= MIN_RECALL);

  for (const [kind, prompts] of Object.entries(harmlessPrompts(HARMLESS_PROMPTS))) {
    const refused = findRefused(engine, prompts);
    const isRare = refused.length / HARMLESS_PROMPTS <= MAX_FALSE_POSITIVES;
    report(`${kind} refused`, `${refused.length} of ${HARMLESS_PROMPTS}`, isRare);
    refused.slice(0, 10).forEach((prompt) => console.log(`  ${prompt}`));
  }

  for (const [kind, cpuMs] of measureScreeningMs(engine)) {
    report(`2,000 code points, ${kind}`, times(cpuMs), cpuMs.p99 < MAX_P99_MS);
  }

  for (const [copy, { recognised, all }] of await measureCopiesOfTestImage()) {
    report(`test image ${copy}`, `${recognised} of ${all}`, recognised === all);
  }
  const mixed = await measureMixedCopies();
  report('test image, all at once', `${mixed.recognised} of ${mixed.all}`, mixed.recognised === mixed.all);
  const others = await measureCopiesOfOthers(COPIED_IMAGES);
  inform('the same copies of painted images', `${others.recognised} of ${others.all}`);
  const mistaken = await countMistakenImages(OTHER_IMAGES);
  report('other images that match it', `${mistaken} of ${OTHER_IMAGES}`, mistaken === 0);
  await reportFingerprints(0);
  await reportImageModel(photographs);
}

/** @param rows of other outputs in the registry; without them no time is measured */
async function reportFingerprints(rows: number): Promise<void> {
  await withRegistry(rows, async (fingerprints) => {
    if (rows > 0) reportLookUps(rows, await timeLookUps(fingerprints));
    const { copies, mistaken } = await measureFingerprints(fingerprints, { outputs: OUTPUTS, others: OTHER_IMAGES });
    for (const [copy, { recognised, all }] of copies)
      report(`outputs ${copy}`, `${recognised} of ${all}`, recognised / all >= MIN_RECOGNISED);
    report('other images that match an output', `${mistaken} of ${OTHER_IMAGES}`, mistaken === 0);
  });
}

function reportLookUps(rows: number, times: number[]): void {
  const [p50, p95] = [0.5, 0.95].map((share) => times[Math.floor(share * times.length)] ?? NaN) as [number, number];
  const measured = `p50 ${p50.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`;
  report(`look-up of an image among ${rows.toLocaleString('en')}`, measured, p50 < MAX_LOOK_UP_MS);
}

/** @param photographs a folder with more benign images, if any */
async function reportImageModel(photographs: string | undefined): Promise<void> {
  const benign = await measureBenignImages(BENIGN_IMAGES, photographs);
  const { drawings, textures, photographs: photos, decodeMs, scoreMs } = benign;
  reportBlocked('drawings of the sandbox', drawings);
  reportBlocked('textures in the colours of skin', textures);
  if (photos) reportBlocked('photographs and their parts', photos);
  inform('an image, decode', `${decodeMs.toFixed(0)} ms of CPU, median`);
  report('an image, score', `${scoreMs.toFixed(0)} ms of CPU, median`, scoreMs <= MAX_IMAGE_CPU_MS);
  const { frames, scoreCpuMs } = await measureVideo();
  const video = `${scoreCpuMs.toFixed(0)} ms of CPU, ${frames} frames`;
  report('a video of 5 s, score', video, scoreCpuMs <= MAX_VIDEO_CPU_MS);
}

function reportBlocked(what: string, { images, blocked, blockedWhereYoung }: FalseBlocks): void {
  const isRare = blocked <= MAX_BLOCKED.ordinary * images && blockedWhereYoung <= MAX_BLOCKED.young * images;
  report(`${what} blocked`, `${blocked} of ${images}, with a mention of a minor ${blockedWhereYoung}`, isRare);
}

/** A figure without a bound. */
function inform(what: string, measured: string): void {
  console.log(`        ${what.padEnd(46)} ${measured}`);
}

function report(what: string, measured: string, isWithinBound: boolean): void {
  if (!isWithinBound) missedBounds += 1;
  console.log(`${isWithinBound ? 'ok    ' : 'MISSED'}  ${what.padEnd(46)} ${measured}`);
}

function times({ p50, p99, max }: Percentiles): string {
  return `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, max ${max.toFixed(2)} ms`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

void main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
