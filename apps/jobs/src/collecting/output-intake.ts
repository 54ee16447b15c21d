import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { withTimeout } from '@kinora/bus';
import { type ComputeProvider, type FetchOutput, ProviderUnreachable } from '@kinora/compute';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger, Semaphore, crashPoint } from '@kinora/service-kit';
import type { AttemptRow } from '../attempt/attempt.row';
import type { JobRow, StoredOutput } from '../job/job.entity';
import { toTaskFacts } from '../job/task-facts';
import { JobsConfig } from '../jobs.config';
import { outputKeyOf } from '../attempt/stored-files';
import { type Origins, OutputCredentials } from './output-credentials';
import { InvalidOutput, OutputNotStored } from './collection-problem';
import { countOutputs, memoryOfOutput, toOutputFile } from './output-file';
import { OutputMarker, isMarked } from './output-marker';

/**
 * Enough for the largest video at half a megabyte a second. Adapters bound their single steps; this bounds all of them
 * together.
 */
const FETCH_TIMEOUT_MS = 120_000;

/** Fetches the files of a provider, checks them against the request, and stores them. */
@Injectable()
export class OutputIntake {
  /** Its permits are bytes: a few large outputs take the memory of many small ones. */
  private readonly memory: Semaphore;

  constructor(
    private readonly objects: ObjectStore,
    private readonly marker: OutputMarker,
    private readonly credentials: OutputCredentials,
    @InjectLogger() private readonly logger: Logger,
    { outputsMaxBytes }: JobsConfig,
  ) {
    this.memory = new Semaphore(outputsMaxBytes);
  }

  /**
   * @throws InvalidOutput, ImageProblem, VideoProblem, MarkerFault, TimeStampMissing, ProviderUnreachable, ObjectStoreUnavailable; all
   * stored files are then deleted.
   */
  async take(
    provider: ComputeProvider,
    attempt: AttemptRow,
    job: JobRow,
    made: FetchOutput[],
  ): Promise<StoredOutput[]> {
    const expected = countOutputs(job);
    if (made.length !== expected)
      throw new InvalidOutput(`the provider returned ${made.length} outputs instead of ${expected}`);
    const permits = memoryOfOutput(job, isMarked(job, provider.id));
    const taken: StoredOutput[] = [];
    try {
      // One after another, so that the outputs of one job take the memory of one.
      const origins = await this.credentials.originsOf(job);
      for (const [index, fetch] of made.entries()) {
        const takeOne = () => this.takeOne(provider, attempt, job, index, fetch, origins);
        taken.push(await this.memory.run(takeOne, { permits }));
      }
      return taken;
    } catch (error) {
      await this.discard(taken);
      throw error;
    }
  }

  /**
   * Reads the outputs back. Needed where moderation has not returned the hashes of what it has read: a job is charged only
   * for outputs that its owner can download, and fails for no damage that the store has done.
   * @throws OutputNotStored, ObjectNotFound, ObjectStoreUnavailable
   */
  async assertStored(outputs: StoredOutput[]): Promise<void> {
    for (const { object_key, sha256 } of outputs) {
      if (sha256Of(await this.objects.get(object_key)) !== sha256) throw new OutputNotStored();
    }
  }

  /** Best effort: files that stay behind are never signed. The settlement of the job or the orphan sweep deletes them. */
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
    origins: Origins,
  ): Promise<StoredOutput> {
    const made = await fetchInTime(fetch);
    const place = { index, isSeeded: index === 0 || areAllSeeded(provider, job) };
    const marked = await this.marker.mark(made, job, provider);
    const file = await toOutputFile(marked ?? made, job, place, provider.provenance);
    const { extension, facts } = file;
    const object_key = outputKeyOf(attempt, index, extension);
    // The last change: a file that is signed and then changed reads as tampered with. Until it is signed, it is in memory only.
    const source = { made, isMarked: marked !== null, digitalSourceType: provider.provenance };
    const bytes = await this.credentials.sign(file, source, job, origins);
    crashPoint('jobs.end.output_signed');
    await this.store(object_key, bytes, facts.mime);
    return { object_key, ...facts, bytes: bytes.length, sha256: sha256Of(bytes) };
  }

  private async store(key: string, bytes: Buffer, mime: string): Promise<void> {
    try {
      await this.objects.put(key, bytes, { mime });
    } catch (error) {
      await this.discard([{ object_key: key }]);
      throw error;
    }
  }
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Any of several routes to the instance may have been used. */
function areAllSeeded(provider: ComputeProvider, job: JobRow): boolean {
  return job.plan.routes
    .filter((route) => route.provider === provider.id)
    .every(({ template }) => {
      const facts = { ...toTaskFacts(job, job.id), ...(template === undefined ? {} : { template }) };
      return provider.seededOutputs(facts) === 'each';
    });
}

function fetchInTime(fetch: FetchOutput): Promise<Buffer> {
  return withTimeout(fetch(), FETCH_TIMEOUT_MS, () => {
    throw new ProviderUnreachable(`An output did not arrive within ${FETCH_TIMEOUT_MS / 1_000} s.`);
  });
}
