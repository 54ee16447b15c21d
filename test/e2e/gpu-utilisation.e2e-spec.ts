import type { GpuWork } from '@kinora/compute/fixtures';
import type { JobProgress } from '@kinora/contracts/jobs/job-progress';
import type { Quote } from '@kinora/contracts/jobs/quote';
import { allSucceeded, SharedGpus } from '../support/shared-gpus';

const TIMES = { runMs: 1_000, loadMs: 4_000 };
const LONG_MS = 240_000;
/** Of what a schedule that knows all jobs would get out of the card. */
const SHARE_MIN = 0.9;
/** How late the next task of a loaded model may be. */
const GAP_MAX_MS = 50;
/** As for models that share no card (estimates.e2e-spec.ts). */
const ERROR_MAX = 0.5;

/** The time that the card needed at least, each model loaded once, as a part of its whole time. */
function shareOf(work: GpuWork[]): number {
  const models = new Set(work.map(({ kind }) => kind)).size;
  const neededMs = work.length * TIMES.runMs + models * TIMES.loadMs;
  return neededMs / ((work.at(-1)?.untilMs ?? 0) - (work[0]?.fromMs ?? 0));
}

/** How long the card had nothing before each task that needed no load. */
function gapsOf(work: GpuWork[]): number[] {
  return work.flatMap(({ isLoad, fromMs }, index) => (isLoad ? [] : [fromMs - (work[index - 1]?.untilMs ?? 0)]));
}

const errorOf = (eta: number | null, leftMs: number): number =>
  Math.abs((eta ?? Infinity) * 1_000 - leftMs) / Math.max(leftMs, 1);

const median = (values: number[]): number => values.sort((one, other) => one - other)[values.length >> 1] ?? Infinity;

/** Measured in elapsed time, so it runs in the suite that has the machine for itself. */
describe('a card that models share', () => {
  let gpus: SharedGpus;

  beforeAll(async () => {
    gpus = await SharedGpus.start({ two: 1, three: 1 }, TIMES);
  }, LONG_MS);
  afterAll(() => gpus.stop());

  it.each([
    ['two', 2],
    ['three', 3],
  ] as const)('works nearly all the time for %s models', async (group, models) => {
    await allSucceeded(await gpus.create(group, models));
    const [card] = gpus.of(group);
    expect(shareOf(card?.work ?? [])).toBeGreaterThan(SHARE_MIN);
    expect(median(gapsOf(card?.work ?? []))).toBeLessThan(GAP_MAX_MS);
  });

  it('has jobs whose ends are foretold, also by a quote', async () => {
    const created = await gpus.create('two', 2);
    const [{ client } = { client: undefined }] = created;
    const request = { model: 'two-0', prompt: 'a colour of a quote', size: '512x512' };
    const quote = await client?.post<Quote>('/quotes', { operation: 'images.generations', request });
    const quoted = client && (await client.generate(request));
    const readAtMs = Date.now();
    const read = await Promise.all(created.map((one) => one.client.read<JobProgress>(`/jobs/${one.id}/progress`)));
    const ended = await allSucceeded(created);
    const leftMs = ended.map(({ completed_at }) => Date.parse(completed_at ?? '') - readAtMs);
    expect(median(read.map(({ eta_seconds }, index) => errorOf(eta_seconds, leftMs[index] ?? 0)))).toBeLessThan(
      ERROR_MAX,
    );
    const last = await client?.ended(quoted?.id ?? '');
    const quotedMs = Date.parse(last?.completed_at ?? '') - readAtMs;
    expect(errorOf(quote?.body.eta_seconds ?? null, quotedMs)).toBeLessThan(ERROR_MAX);
  });
});
