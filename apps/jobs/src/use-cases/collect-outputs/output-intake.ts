import { Injectable } from '@nestjs/common';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { AttemptRow } from '../../attempt/attempt.row';
import type { JobRow, StoredOutput } from '../../job/job.row';
import type { ComputeProvider, FetchOutput } from '../../providers/compute-provider.port';
import { InvalidOutput } from './collection-problem';
import { countOutputs, toOutputFile } from './output-file';

/** Takes a provider's files into our own store, as exactly what was asked for. */
@Injectable()
export class OutputIntake {
  constructor(
    private readonly objects: ObjectStore,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws InvalidOutput, ImageProblem, VideoProblem, ProviderUnreachable, ObjectStoreUnavailable; then nothing of it stays. */
  async take(
    provider: ComputeProvider,
    attempt: AttemptRow,
    job: JobRow,
    made: FetchOutput[],
  ): Promise<StoredOutput[]> {
    const expected = countOutputs(job);
    if (made.length !== expected) throw new InvalidOutput(`${made.length} outputs instead of ${expected}`);
    const taken: StoredOutput[] = [];
    try {
      // One after the other: an output is held in memory three times over while it is re-encoded.
      for (const [index, fetch] of made.entries()) taken.push(await this.takeOne(provider, attempt, job, index, fetch));
      return taken;
    } catch (error) {
      await this.discard(taken);
      throw error;
    }
  }

  /** Best effort here; what stays behind is never signed, and so never seen. */
  async discard(outputs: StoredOutput[]): Promise<void> {
    for (const { object_key } of outputs) {
      await this.objects.delete(object_key).catch((error: unknown) => {
        this.logger.warn({ object_key, reason: String(error) }, 'output_not_deleted');
      });
    }
  }

  private async takeOne(
    provider: ComputeProvider,
    attempt: AttemptRow,
    job: JobRow,
    index: number,
    fetch: FetchOutput,
  ): Promise<StoredOutput> {
    const { bytes, extension, facts } = await toOutputFile(await fetch(), job, index, provider.provenance);
    // The claim is part of the name: whoever loses the race for the job deletes its own files and no one else's.
    const object_key = `outputs/${job.id}-${attempt.number}-${attempt.fence}-${index}.${extension}`;
    await this.objects.put(object_key, bytes, { mime: facts.mime });
    return { object_key, ...facts, bytes: bytes.length };
  }
}
