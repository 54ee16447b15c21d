import { ImageProblem } from '@kinora/images';
import { ObjectNotFound, ObjectStoreUnavailable } from '@kinora/object-store';
import { VideoProblem } from '@kinora/videos';
import { ApiError, type JobErrorCode } from '@kinora/contracts/shared/errors';
import { InvalidUpstreamOutput, ProviderUnreachable } from '../../providers/compute-provider.port';

export interface CollectionProblem {
  error: unknown;
  /** What the job fails with, now or at its deadline. */
  code: JobErrorCode;
  /** Whether trying again could not help. */
  isFinal: boolean;
}

/** A file of the wrong number, size or kind: what the provider made is not what was asked for. */
export class InvalidOutput extends Error {}

/** The store gives back something else than it was given. */
export class OutputNotStored extends Error {}

export function toCollectionProblem(error: unknown): CollectionProblem {
  if (
    error instanceof ImageProblem ||
    error instanceof VideoProblem ||
    error instanceof InvalidOutput ||
    error instanceof InvalidUpstreamOutput
  )
    return { error, code: 'invalid_output', isFinal: true };
  if (error instanceof ObjectStoreUnavailable || error instanceof ObjectNotFound || error instanceof OutputNotStored)
    return { error, code: 'storage_error', isFinal: false };
  if (error instanceof ProviderUnreachable) return { error, code: 'provider_error', isFinal: false };
  if (error instanceof ApiError) return { error, code: 'capacity', isFinal: false };
  return { error, code: 'provider_error', isFinal: false };
}
