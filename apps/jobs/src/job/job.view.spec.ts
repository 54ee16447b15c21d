import type { JobRow } from './job.entity';
import { linksEndAt, toJob } from './job.view';

const DAY_MS = 86_400_000;
const COMPLETED_AT = new Date('2026-03-01T09:00:00Z');
const image = { object_key: 'outputs/a.png', mime: 'image/png', width: 64, height: 64, seed: 5, bytes: 900 };

/** The output of a job that ended this many days ago. The expiry of each link stands in place of its URL. */
function outputAfter(days: number, retentionDays: number, changes: Partial<JobRow> = {}) {
  const row = {
    kind: 'image.generation',
    status: 'succeeded',
    output: [image, { ...image, seed: 6 }],
    created_at: COMPLETED_AT,
    completed_at: COMPLETED_AT,
    expires_at: new Date(COMPLETED_AT.getTime() + retentionDays * DAY_MS),
    ...changes,
  } as JobRow;
  const end = linksEndAt(row, new Date(COMPLETED_AT.getTime() + days * DAY_MS));
  return toJob(row, () => end?.toISOString() ?? null).output;
}

const shown = { mime: 'image/png', width: 64, height: 64, bytes: 900 };

describe('the output of a job', () => {
  it('has links for seven days from the read on, and never past its end', () => {
    const linksOf = (days: number, retentionDays: number) => {
      const output = outputAfter(days, retentionDays);
      return output && 'images' in output && output.images.map(({ url }) => url);
    };
    expect(linksOf(0, 7)).toEqual(Array(2).fill('2026-03-08T09:00:00.000Z'));
    expect(linksOf(1, 7)).toEqual(Array(2).fill('2026-03-08T09:00:00.000Z'));
    expect(linksOf(0, 30)).toEqual(Array(2).fill('2026-03-08T09:00:00.000Z'));
    expect(linksOf(10, 30)).toEqual(Array(2).fill('2026-03-18T09:00:00.000Z'));
    expect(linksOf(0, 1)).toEqual(Array(2).fill('2026-03-02T09:00:00.000Z'));
  });

  it('keeps its entries without links after the expiry', () => {
    const images = [5, 6].map((seed) => ({ ...shown, url: null, seed }));
    expect(outputAfter(7, 7)).toEqual({ images });
    expect(outputAfter(400, 365)).toEqual({ images });
  });

  it('keeps its entries without links once its deletion is requested', () => {
    const images = [5, 6].map((seed) => ({ ...shown, url: null, seed }));
    expect(outputAfter(0, 7, { deletion_requested_at: COMPLETED_AT })).toEqual({ images });
  });

  it('is one video where the job makes videos, under the same rules', () => {
    const file = { mime: 'video/mp4', duration: 5, fps: 24, width: 832, height: 480, bytes: 70_000 };
    const changes: Partial<JobRow> = {
      kind: 'video.generation',
      output: [{ object_key: 'outputs/a.mp4', sha256: '', ...file }],
    };
    expect(outputAfter(3, 7, changes)).toEqual({ video: { ...file, url: '2026-03-08T09:00:00.000Z' } });
    expect(outputAfter(7, 7, changes)).toEqual({ video: { ...file, url: null } });
  });

  it.each(['queued', 'processing', 'failed', 'canceled'] as const)('is null for a job that is %s', (status) => {
    expect(outputAfter(0, 7, { status, output: null, expires_at: null })).toBeNull();
  });
});
