import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { StoredImage } from '@kinora/contracts/jobs/job';
import { type ImageReply, MOST_PIXELS_IN_PLACE, resultOf } from '@kinora/images';
import { ObjectStore } from '@kinora/object-store';
import { BackgroundProcess, type BackgroundProgram, FairSemaphore } from '@kinora/service-kit';
import type { JobRow } from '../job/job.entity';
import { JobsConfig } from '../jobs.config';
import { toReference } from './reference-image';

// In the same folder and of the same kind: JavaScript in a build, TypeScript where Node has a loader for it.
export const LARGE_INPUTS: BackgroundProgram = {
  file: path.join(__dirname, `large-inputs.worker${path.extname(__filename)}`),
};

/** The number of jobs whose images are decoded at once; each uses one processor. One account gets half of them at most. */
const SLOTS = 2;

/** The images of jobs for providers: pixels only, upright, without any metadata of the files. */
@Injectable()
export class JobInputs implements OnApplicationShutdown {
  private readonly slots = new FairSemaphore(SLOTS);
  private readonly large: BackgroundProcess<Uint8Array, ImageReply<Buffer>>;

  constructor(
    private readonly objects: ObjectStore,
    { largeInputs }: JobsConfig,
  ) {
    this.large = new BackgroundProcess(largeInputs ?? LARGE_INPUTS);
  }

  /** @throws ObjectNotFound and ImageProblem for good, ObjectStoreUnavailable for now. */
  async read(job: JobRow): Promise<Buffer[]> {
    if (job.images.length === 0) return [];
    return await this.slots.run(job.account_id, () => this.readAll(job.images));
  }

  /** The process that prepares large images; undefined while there is none. */
  get backgroundPid(): number | undefined {
    return this.large.pid;
  }

  onApplicationShutdown(): void {
    this.large.close();
  }

  /** One after another, because decoding all at once would take as many processors from other jobs. */
  private async readAll(stored: readonly StoredImage[]): Promise<Buffer[]> {
    const images: Buffer[] = [];
    for (const image of stored) images.push(await this.readOne(image));
    return images;
  }

  private async readOne({ object_key, width, height }: StoredImage): Promise<Buffer> {
    const bytes = await this.objects.get(object_key);
    return width * height > MOST_PIXELS_IN_PLACE ? resultOf(await this.large.run(bytes)) : toReference(bytes);
  }
}
