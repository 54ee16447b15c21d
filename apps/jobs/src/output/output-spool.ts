import { Injectable } from '@nestjs/common';
import { InvalidUpstreamOutput, type UpstreamStatus } from '@kinora/compute';
import { ObjectNotFound, ObjectStore } from '@kinora/object-store';
import { outputFolderOf } from './output-key';
import type { AttemptClaim, SpooledOutputs } from '../attempt/attempt.row';

/** Stores raw outputs from the answer to a submission until they are collected like those of any other backend. */
@Injectable()
export class OutputSpool {
  constructor(private readonly objects: ObjectStore) {}

  /** Resolves when the outputs are stored. @throws ObjectStoreUnavailable; none of the outputs is then announced. */
  async put({ job_id, number, fence }: AttemptClaim, outputs: Buffer[], gpuMs: number | null): Promise<SpooledOutputs> {
    // The name contains the fencing token: a process that has lost the attempt deletes only its own files. The folder is the
    // job's, so the settlement deletes what a crash leaves here.
    const named = outputs.map((bytes, index) => ({
      key: `${outputFolderOf(job_id)}/spooled-${number}-${fence}-${index}.bin`,
      bytes,
    }));
    for (const { key, bytes } of named) await this.objects.put(key, bytes, { mime: 'application/octet-stream' });
    return { object_keys: named.map(({ key }) => key), gpu_ms: gpuMs };
  }

  /** The status that the backend would report. */
  read({ object_keys, gpu_ms: gpuMs }: SpooledOutputs): Extract<UpstreamStatus, { state: 'succeeded' }> {
    return { state: 'succeeded', outputs: object_keys.map((key) => () => this.readOne(key)), gpuMs };
  }

  async delete({ object_keys }: SpooledOutputs): Promise<void> {
    await Promise.all(object_keys.map((key) => this.objects.delete(key)));
  }

  private async readOne(key: string): Promise<Buffer> {
    try {
      return await this.objects.get(key);
    } catch (error) {
      if (error instanceof ObjectNotFound)
        throw new InvalidUpstreamOutput('A spooled output does not exist in the object store.', { cause: error });
      throw error;
    }
  }
}
