import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ComputeProvider } from '@kinora/compute';
import {
  CredentialReader,
  type CredentialSigner,
  type OutputFacts,
  type OutputIngredient,
  TimeStampMissing,
  createSigner,
  isCredentialType,
  readEnclosure,
} from '@kinora/credentials';
import { Egress } from '@kinora/egress';
import { sniffMime } from '@kinora/images';
import { ObjectStore } from '@kinora/object-store';
import { InjectLogger, type Logger, RELEASE } from '@kinora/service-kit';
import { isMp4 } from '@kinora/videos';
import type { JobRow } from '../job/job.entity';
import { JobsConfig } from '../jobs.config';
import { certificateExpiry, droppedCredentials, missingTimeStamps, unsignedOutputs } from '../jobs.metrics';
import type { OutputFile } from './output-file';

const GENERATOR = { name: 'Kinora', version: RELEASE };

/** The files that an output comes from, and the names of those whose own credentials cannot be handed on. */
export type Origins = Pick<OutputFacts, 'ingredients' | 'droppedCredentials'>;

/** What an output was before it was prepared. */
interface OutputSource {
  /** As the backend has returned it. */
  made: Buffer;
  /** Whether a watermark was written into its pixels since. */
  isMarked: boolean;
  digitalSourceType: ComputeProvider['provenance'];
}

/**
 * Gives outputs content credentials: what made them, and the credentials of the files that they come from. An output that cannot be signed is
 * served without, because its client has paid for it; a metric counts it, and pages.
 */
@Injectable()
export class OutputCredentials implements OnApplicationShutdown {
  private readonly signer: CredentialSigner | null;
  private readonly reader: CredentialReader;

  constructor(
    private readonly objects: ObjectStore,
    egress: Egress,
    config: JobsConfig,
    @InjectLogger() private readonly logger: Logger,
  ) {
    const { credentials, credentialProgram: program } = config;
    // Only the role that stores outputs has the key.
    this.signer = config.has('runner') ? createSigner(credentials, { egress, generator: GENERATOR, program }) : null;
    this.reader = new CredentialReader({}, program);
    const { signer } = this;
    if (signer) certificateExpiry.readBy({}, () => (signer.validUntil.getTime() - Date.now()) / 1_000);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.reader.close(), this.signer?.close()]);
  }

  /** The input images of a job, of which those with credentials are kept with them. @throws ObjectStoreUnavailable */
  async originsOf({ images }: JobRow): Promise<Origins> {
    const origins: Origins = { ingredients: [], droppedCredentials: [] };
    if (!this.signer) return origins;
    // One after another, so that only the images with credentials are held.
    for (const [index, { object_key }] of images.entries())
      await this.addOrigin(origins, await this.objects.get(object_key), `Input image ${index + 1}`, 'input');
    return origins;
  }

  /** The bytes to store. @throws TimeStampMissing where the operator requires a time stamp and none was given */
  async sign(
    { bytes, facts: { mime } }: OutputFile,
    { made, isMarked, digitalSourceType }: OutputSource,
    job: JobRow,
    inputs: Origins,
  ): Promise<Buffer> {
    const { signer } = this;
    if (!signer) return this.leaveUnsigned(bytes, job, 'no_certificate');
    if (signer.validUntil.getTime() < Date.now()) return this.leaveUnsigned(bytes, job, 'expired');
    const origins = { ingredients: [...inputs.ingredients], droppedCredentials: [...inputs.droppedCredentials] };
    await this.addOrigin(origins, made, 'Output of the backend', 'parent');
    const facts = {
      jobId: job.id,
      model: job.model,
      digitalSourceType,
      isMarked,
      madeAt: new Date(),
      ...withAction(job, origins, isMarked),
    };
    try {
      const signed = await signer.sign(bytes, mime, facts);
      if (signed.isStampMissing) missingTimeStamps.inc();
      return signed.bytes;
    } catch (error) {
      if (error instanceof TimeStampMissing) throw error;
      return this.leaveUnsigned(bytes, job, 'failed', error);
    }
  }

  private async addOrigin(
    origins: Origins,
    file: Buffer,
    title: string,
    role: OutputIngredient['role'],
  ): Promise<void> {
    const mediaType = isMp4(file) ? 'video/mp4' : (sniffMime(file) ?? '');
    const { state } = await readEnclosure(this.reader, file, mediaType);
    if (state === 'unreadable') {
      origins.droppedCredentials.push(title);
      droppedCredentials.inc({ origin: role === 'parent' ? 'output' : 'input' });
    }
    // The output of the backend is the output itself: without credentials of its own it is no other file.
    if (role === 'parent' && state !== 'readable') return;
    if (!isCredentialType(mediaType)) return;
    origins.ingredients.push({ title, role, mediaType, file: state === 'readable' ? file : null });
  }

  private leaveUnsigned(bytes: Buffer, { id: job_id }: JobRow, reason: string, error: unknown = null): Buffer {
    unsignedOutputs.inc({ reason });
    if (reason !== 'no_certificate')
      this.logger.error({ job_id, reason, error: error instanceof Error ? error.message : null }, 'output_not_signed');
    return bytes;
  }
}

/**
 * An output that a backend has signed was opened and packed anew, or edited where it got a watermark. An edit changes its first image. Everything else is created, if
 * need be from images.
 */
function withAction(
  { kind }: JobRow,
  { ingredients, droppedCredentials }: Origins,
  isMarked: boolean,
): Origins & Pick<OutputFacts, 'action'> {
  const hasParent = ingredients.some(({ role }) => role === 'parent');
  if (hasParent) return { action: isMarked ? 'edited' : 'repackaged', ingredients, droppedCredentials };
  if (kind !== 'image.edit') return { action: 'created', ingredients, droppedCredentials };
  const edited = ingredients.map((one, index) => (index === 0 ? { ...one, role: 'parent' as const } : one));
  return { action: edited.length === 0 ? 'created' : 'edited', ingredients: edited, droppedCredentials };
}
