import { Injectable } from '@nestjs/common';
import { InvalidUpstreamOutput, type UpstreamStatus } from '@kinora/compute';
import { ObjectNotFound, ObjectStore } from '@kinora/object-store';
import type { JobRow } from '../job/job.entity';
import type { AttemptClaim, SpooledOutputs } from './attempt.row';

/** Where gateways store the images of requests. */
export const INPUTS_FOLDER = 'inputs';
export const OUTPUTS_FOLDER = 'outputs';

const KEY_OF_JOB = /^outputs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[/-]/;

/** The folder with all outputs of a job, and nothing else. */
export function outputFolderOf(jobId: string): string {
  return `${OUTPUTS_FOLDER}/${jobId}`;
}

/** The name contains the fencing token: a process that loses the race for the job deletes only its own files. */
export function outputKeyOf({ job_id, number, fence }: AttemptClaim, index: number, extension: string): string {
  return `${outputFolderOf(job_id)}/${job_id}-${number}-${fence}-${index}.${extension}`;
}

/** Null for a key that belongs to no job. */
export function jobIdOfOutput(key: string): string | null {
  return KEY_OF_JOB.exec(key)?.[1] ?? null;
}

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

/** The files of a job in the object store. */
@Injectable()
export class StoredFiles {
  constructor(private readonly objects: ObjectStore) {}

  /**
   * Deletes all files of an ended job that its row does not name: inputs, and outputs that are blocked or left by a dead
   * process. The folder is listed, so that a crash cannot hide a file.
   * @throws ObjectStoreUnavailable
   */
  async clearAwayAfter(job: JobRow): Promise<void> {
    const inputs = job.images.map(({ object_key }) => object_key);
    await this.objects.deleteMany(inputs);
    // After a success only a dead process can have left more files. They were screened like the others, so the orphan sweep
    // deletes them.
    if (job.status !== 'succeeded') await this.deleteOutputsOf(job.id);
  }

  /**
   * Deletes every output of an ended job: those that its row names, and those that the store lists in its folder.
   * @throws ObjectStoreUnavailable
   */
  async deleteOutputs({ id, output }: JobRow): Promise<void> {
    await this.objects.deleteMany((output ?? []).map(({ object_key }) => object_key));
    await this.deleteOutputsOf(id);
  }

  private async deleteOutputsOf(jobId: string): Promise<void> {
    for await (const page of this.objects.list(outputFolderOf(jobId))) {
      await this.objects.deleteMany(page.map(({ key }) => key));
    }
  }
}
