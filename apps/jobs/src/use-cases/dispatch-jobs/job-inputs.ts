import { Injectable } from '@nestjs/common';
import { sanitizeImage } from '@kinora/images';
import { ObjectStore } from '@kinora/object-store';
import { Semaphore } from '@kinora/service-kit';
import type { JobRow } from '../../job/job.row';

/** Jobs whose images are decoded at once: three large ones take some hundred megabytes. */
const SLOTS = 3;
/** No output of the built-in models is larger, so more detail would only make the submission heavier. */
const MAX_REFERENCE_SIDE_PX = 2_048;

/** The images of jobs as providers see them: pixels only, upright, re-encoded, without what else the files carried. */
@Injectable()
export class JobInputs {
  private readonly slots = new Semaphore(SLOTS);

  constructor(private readonly objects: ObjectStore) {}

  /** @throws ObjectNotFound and ImageProblem for good, ObjectStoreUnavailable for now. */
  async read(job: JobRow): Promise<Buffer[]> {
    if (job.images.length === 0) return [];
    return await this.slots.run(() => Promise.all(job.images.map(({ object_key }) => this.readOne(object_key))));
  }

  private async readOne(objectKey: string): Promise<Buffer> {
    return (await sanitizeImage(await this.objects.get(objectKey), { maxSidePx: MAX_REFERENCE_SIDE_PX })).bytes;
  }
}
