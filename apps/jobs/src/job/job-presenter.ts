import { Injectable } from '@nestjs/common';
import { UrlSigner } from '@kinora/object-store';
import type { Job } from '@kinora/contracts/jobs/job';
import type { JobFinished } from '@kinora/contracts/jobs/jobs.events';
import type { JobRow } from './job.row';
import { type SignUrl, toJob, toJobFinished } from './job.view';

/** Shows rows as jobs, with URLs signed at this very read. */
@Injectable()
export class JobPresenter {
  private readonly signUrl: SignUrl;

  constructor(urls: UrlSigner) {
    this.signUrl = (objectKey, expiresAt) => urls.sign(objectKey, expiresAt);
  }

  toJob(row: JobRow): Job {
    return toJob(row, this.signUrl);
  }

  toFinished(row: JobRow): JobFinished {
    return toJobFinished(row, this.signUrl);
  }
}
