import { Injectable } from '@nestjs/common';
import { sanitizeImage } from '@kinora/images';
import { ObjectStore } from '@kinora/object-store';
import { FairSemaphore } from '@kinora/service-kit';
import type { JobRow } from '../../job/job.entity';

/** The number of jobs whose images are decoded at once; each uses one processor. One account gets half of them at most. */
const SLOTS = 2;
/** No output of the built-in models is larger, so more detail would only increase the size of the submission. */
const MAX_REFERENCE_SIDE_PX = 2_048;

/** The images of jobs for providers: pixels only, upright, without any metadata of the files. */
@Injectable()
export class JobInputs {
  private readonly slots = new FairSemaphore(SLOTS);

  constructor(private readonly objects: ObjectStore) {}

  /** @throws ObjectNotFound and ImageProblem for good, ObjectStoreUnavailable for now. */
  async read(job: JobRow): Promise<Buffer[]> {
    if (job.images.length === 0) return [];
    return await this.slots.run(job.account_id, () => this.readAll(job.images.map(({ object_key }) => object_key)));
  }

  /** One after another, because decoding all at once would take as many processors from other jobs. */
  private async readAll(objectKeys: string[]): Promise<Buffer[]> {
    const images: Buffer[] = [];
    for (const objectKey of objectKeys) images.push(await this.readOne(objectKey));
    return images;
  }

  private async readOne(objectKey: string): Promise<Buffer> {
    return (await sanitizeImage(await this.objects.get(objectKey), { maxSidePx: MAX_REFERENCE_SIDE_PX })).bytes;
  }
}
