import { Injectable } from '@nestjs/common';
import { callDeadline } from '@kinora/bus';
import type {
  CheckProvenanceRequest,
  ProvenanceCheck,
  ProvenanceCredential,
  ProvenanceMatch,
} from '@kinora/contracts/moderation/provenance.rpc';
import { ApiError } from '@kinora/contracts/shared/errors';
import { ImageProblem, sniffMime } from '@kinora/images';
import { mimeOf } from '@kinora/object-store';
import { Semaphore, SemaphoreTimeout } from '@kinora/service-kit';
import { isMp4, VideoProblem } from '@kinora/videos';
import { FingerprintRepository, type KnownOutput } from '../fingerprint/fingerprint.repository';
import { KnownOutputs } from '../fingerprint/known-outputs';
import { StoredImages } from '../image/stored-images';
import type { LoadedImage } from '../judging/engine';
import { Credentials } from '../provenance/credentials';
import { StoredOutputs } from '../video/stored-outputs';

/** Strangers ask: one check at a time leaves the decoders of a process to the jobs of accounts. */
const CHECKS_AT_ONCE = 1;

/** Says what is known about the origin of a file: what it says itself, and whether this service has made it. */
@Injectable()
export class CheckProvenance {
  private readonly checks = new Semaphore(CHECKS_AT_ONCE);

  constructor(
    private readonly files: StoredImages,
    private readonly outputs: StoredOutputs,
    private readonly credentials: Credentials,
    private readonly fingerprints: FingerprintRepository,
    private readonly known: KnownOutputs,
  ) {}

  /** @throws ApiError invalid_body for a file that cannot be decoded; capacity */
  async execute({ param, object_key }: CheckProvenanceRequest): Promise<ProvenanceCheck> {
    const check = (): Promise<ProvenanceCheck> =>
      this.files.withFile({ param, object_key }, (file) => {
        // The bound of a video is six times that of an image, so that no image may pass as one.
        if (mimeOf(object_key) === 'video/mp4' && !isMp4(file.bytes))
          throw new VideoProblem('not_a_video', 'The file is no MP4.');
        return this.check(file);
      });
    try {
      return await this.checks.run(check, { deadline: callDeadline() });
    } catch (error) {
      throw toRefusal(error, param);
    }
  }

  private async check(file: LoadedImage): Promise<ProvenanceCheck> {
    // The search comes first: it refuses what is no image or video.
    const match = await this.findMatch(file);
    const mediaType = isMp4(file.bytes) ? 'video/mp4' : (sniffMime(file.bytes) ?? '');
    const credential = withRegistry(await this.credentials.read(file.bytes, mediaType), match);
    const found = match && (match.exact ? 'match' : 'similar');
    const result = credential?.valid ? 'credential' : (found ?? 'unknown');
    return { object: 'provenance.check', result, credential, match };
  }

  private async findMatch(file: LoadedImage): Promise<ProvenanceMatch | null> {
    const same = await this.fingerprints.findFile(file.sha256);
    if (same) return toMatch(same, true);
    const like = await this.known.findLike(isMp4(file.bytes) ? this.outputs.framesOf(file.bytes) : [file]);
    return like && toMatch(like, false);
  }
}

/** A file that is recorded byte by byte is as this service has signed it, also with a certificate that it has long forgotten. */
function withRegistry(credential: ProvenanceCredential | null, match: ProvenanceMatch | null): typeof credential {
  return credential && { ...credential, ours: credential.ours || (credential.valid && match?.exact === true) };
}

function toMatch({ distance_bits, model, created_at }: KnownOutput, exact: boolean): ProvenanceMatch {
  return { exact, distance_bits, created_at: created_at.toISOString(), model };
}

function toRefusal(error: unknown, param: string): unknown {
  if (error instanceof SemaphoreTimeout) return ApiError.unavailable('The check of files');
  const isUnreadable = error instanceof ImageProblem || error instanceof VideoProblem;
  return isUnreadable ? new ApiError('invalid_body', `${param}: ${error.message}`, { param }) : error;
}
