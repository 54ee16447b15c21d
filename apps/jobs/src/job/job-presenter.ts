import { Injectable } from '@nestjs/common';
import { DownloadLinks, ObjectStoreUnavailable } from '@kinora/object-store';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { JobRow, ShownJobRow } from './job.row';
import { type UrlOf, linksEndAt, toJob, toJobFinished } from './job.view';

/** Shows rows as jobs, with URLs signed at this very read. */
@Injectable()
export class JobPresenter {
  constructor(private readonly links: DownloadLinks) {}

  async toJob(row: ShownJobRow): Promise<Job> {
    return toJob(row, await this.signLinks(row));
  }

  async toFinished(row: JobRow): Promise<JobFinished> {
    return toJobFinished(row, await this.signLinks(row));
  }

  private async signLinks(row: ShownJobRow): Promise<UrlOf> {
    const end = linksEndAt(row, new Date());
    if (!row.output || !end) return () => null;
    const keys = row.output.map(({ object_key }) => object_key);
    const signed = await Promise.all(keys.map((key) => this.links.signLink(key, end))).catch(asUnavailable);
    const urls = new Map(keys.map((key, index) => [key, signed[index] ?? null]));
    return (key) => urls.get(key) ?? null;
  }
}

function asUnavailable(error: unknown): never {
  throw error instanceof ObjectStoreUnavailable ? ApiError.unavailable('Storage') : error;
}
