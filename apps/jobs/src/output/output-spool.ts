import { Injectable } from '@nestjs/common';
import { InvalidUpstreamOutput, type UpstreamStatus } from '@kinora/compute';
import { ObjectNotFound, ObjectStore } from '@kinora/object-store';
import { outputFolderOf } from './output-key';
import type { AttemptClaim, SpooledOutputs } from '../attempt/attempt.row';

/** Where outputs lie that came with the answer to a submission, raw, until they are collected like those of any other backend. */
@Injectable()
export class OutputSpool {
  constructor(private readonly objects: ObjectStore) {}

  /** Resolves when the outputs outlive this process. @throws ObjectStoreUnavailable; then nothing of it is announced. */
  async put({ job_id, number, fence }: AttemptClaim, outputs: Buffer[], gpuMs: number | null): Promise<SpooledOutputs> {
    // The claim is part of the name: whoever has lost the attempt deletes its own files and no one else's. The folder is the
    // job's, which is cleared of all that its row does not name: what a crash leaves here is found there.
    const named = outputs.map((bytes, index) => ({
      key: `${outputFolderOf(job_id)}/spooled-${number}-${fence}-${index}.bin`,
      bytes,
    }));
    for (const { key, bytes } of named) await this.objects.put(key, bytes, { mime: 'application/octet-stream' });
    return { object_keys: named.map(({ key }) => key), gpu_ms: gpuMs };
  }

  /** What the backend would say if it could be asked. */
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
        throw new InvalidUpstreamOutput('A spooled output is gone.', { cause: error });
      throw error;
    }
  }
}
