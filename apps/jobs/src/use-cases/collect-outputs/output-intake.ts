import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import { type ComputeProvider, type FetchOutput, ProviderUnreachable } from '@kinora/compute';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger } from '@kinora/service-kit';
import type { AttemptRow } from '../../attempt/attempt.row';
import type { JobRow, StoredOutput } from '../../job/job.entity';
import { toTaskFacts } from '../../job/task-facts';
import { outputKeyOf } from '../../output/output-key';
import { routesOfJob } from '../../routing/routes-of-job';
import { InvalidOutput, OutputNotStored } from './collection-problem';
import { countOutputs, toOutputFile } from './output-file';

/** The largest video at half a megabyte a second. An adapter bounds each step of its own; this bounds all of them together. */
const FETCH_TIMEOUT_MS = 120_000;

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

  /** Best effort: what stays behind is never signed, and goes when the job has ended, or with the sweep of orphans. */
  async discard(outputs: Pick<StoredOutput, 'object_key'>[]): Promise<void> {
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
    const made = await fetchInTime(fetch);
    const place = { index, isSeeded: index === 0 || areAllSeeded(provider, job) };
    const { bytes, extension, facts } = await toOutputFile(made, job, place, provider.provenance);
    const object_key = outputKeyOf(attempt, index, extension);
    await this.store(object_key, bytes, facts.mime);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { object_key, ...facts, bytes: bytes.length, sha256 };
  }

  /** Read back: a job is charged for what its owner can download, not for what a store says that it has taken. */
  private async store(key: string, bytes: Buffer, mime: string): Promise<void> {
    try {
      await this.objects.put(key, bytes, { mime });
      const stored = await this.objects.get(key);
      if (!stored.equals(bytes)) throw new OutputNotStored();
    } catch (error) {
      await this.discard([{ object_key: key }]);
      throw error;
    }
  }
}

/** Where several routes lead to the instance, any of them may have been taken. */
function areAllSeeded(provider: ComputeProvider, job: JobRow): boolean {
  return routesOfJob(job)
    .filter((route) => route.provider === provider.id)
    .every(({ template }) => {
      const facts = { ...toTaskFacts(job, job.id), ...(template === undefined ? {} : { template }) };
      return provider.seededOutputs(facts) === 'each';
    });
}

function fetchInTime(fetch: FetchOutput): Promise<Buffer> {
  return withTimeout(fetch(), FETCH_TIMEOUT_MS, () => {
    throw new ProviderUnreachable('An output took too long to arrive.');
  });
}
