import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Bus } from '@kinora/bus';
import { ProvenanceCheckBody } from '@kinora/contracts/jobs/provenance-check.body';
import { type ProvenanceCheck, provenanceRpc } from '@kinora/contracts/moderation/provenance.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { Clock, Semaphore, SemaphoreTimeout } from '@kinora/service-kit';
import { addressGroup } from '../../../../libs/service-kit/src/http/connection-limit';
import { readBodyAs } from '../http/read-fields';
import { type ReceivedBody, releaseBody } from '../http/received-body';
import { fileTypeOf } from '../http/route-policy';
import { ImageInput, type StoredFile } from '../image-input/image-input.service';
import type { ImageSource } from '../image-input/image-source';
import { OwnFiles } from '../image-input/own-files';
import { asRemoteRefusal } from '../image-input/read-images';

/** Strangers ask: few checks at once, so that those of a whole botnet leave the object store and moderation to accounts. */
const CHECKS_AT_ONCE = 2;
const WAIT_MS = 2_000;

/** The field that a refusal names where the body itself is the file. */
const WHOLE_BODY = 'body';

/** Stores the file of a stranger for as long as moderation needs to say what is known about it. */
@Injectable()
export class CheckFileProvenance {
  private readonly checks = new Semaphore(CHECKS_AT_ONCE);

  constructor(
    private readonly bus: Bus,
    private readonly imageInput: ImageInput,
    private readonly ownFiles: OwnFiles,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError invalid_body, capacity */
  async execute(request: FastifyRequest): Promise<ProvenanceCheck> {
    const { value } = (request.body ?? {}) as Partial<ReceivedBody>;
    const mediaType = fileTypeOf(request);
    const image = toSource(mediaType, value);
    const isVideo = mediaType === 'video/mp4' && Buffer.isBuffer(value);
    const store = (): Promise<StoredFile> =>
      isVideo ? this.imageInput.storeVideo(value) : this.storeImage(request, image);
    try {
      return await this.checks.run(() => this.check(image.param, store, () => releaseBody(request)), {
        deadline: this.clock.deadline(WAIT_MS),
      });
    } catch (error) {
      throw error instanceof SemaphoreTimeout
        ? ApiError.unavailable('The check of files')
        : asRemoteRefusal(error, [image]);
    }
  }

  private async storeImage({ ip }: FastifyRequest, image: ImageSource): Promise<StoredFile> {
    const sources = await this.ownFiles.read([image]);
    const [stored] = await this.imageInput.storeFor({ address: addressGroup(ip) }, sources);
    if (!stored) throw new Error('No image was stored for one source.');
    return stored;
  }

  private async check(param: string, store: () => Promise<StoredFile>, release: () => void): Promise<ProvenanceCheck> {
    const stored = await store();
    release();
    try {
      return await this.bus.request(provenanceRpc.check, { param, object_key: stored.object_key });
    } finally {
      await this.imageInput.discard([stored]);
    }
  }
}

/** @throws ApiError invalid_body */
function toSource(mediaType: string | null, value: unknown): ImageSource {
  if (mediaType === null) return { param: 'image', content: readBodyAs(ProvenanceCheckBody, value).image };
  return { param: WHOLE_BODY, content: Buffer.isBuffer(value) ? value : Buffer.alloc(0) };
}
