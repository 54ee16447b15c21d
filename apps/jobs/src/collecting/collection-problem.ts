import { InvalidUpstreamOutput, ProviderUnreachable } from '@kinora/compute';
import { TimeStampMissing } from '@kinora/credentials';
import { ImageProblem } from '@kinora/images';
import { ObjectNotFound, ObjectStoreUnavailable } from '@kinora/object-store';
import { VideoProblem } from '@kinora/videos';
import { ApiError, type JobErrorCode } from '@kinora/contracts/shared/errors';
import { MarkerFault } from './http-marker';

export interface CollectionProblem {
  error: unknown;
  /** The error code of the job, now or at its deadline. */
  code: JobErrorCode;
  /** Whether a retry cannot help. */
  isFinal: boolean;
  reason: string;
}

/** An output of the wrong number, size or kind: it differs from the request. */
export class InvalidOutput extends Error {}

/** The store returns other bytes than it was given. */
export class OutputNotStored extends Error {}

export function toCollectionProblem(error: unknown): CollectionProblem {
  return { error, ...classify(error), reason: `its outputs were not collected: ${wordsOf(error)}` };
}

/** Only the texts of our own errors are shown; other errors may contain internal details. */
function wordsOf(error: unknown): string {
  if (error instanceof ObjectStoreUnavailable || error instanceof ObjectNotFound)
    return 'the object store does not work';
  if (error instanceof ApiError) return `${error.code} of another service`;
  return isOfOutput(error) ||
    error instanceof OutputNotStored ||
    error instanceof TimeStampMissing ||
    error instanceof MarkerFault ||
    error instanceof ProviderUnreachable
    ? error.message
    : 'an unexpected error; see the log';
}

function isOfOutput(error: unknown): error is Error {
  return (
    error instanceof ImageProblem ||
    error instanceof VideoProblem ||
    error instanceof InvalidOutput ||
    error instanceof InvalidUpstreamOutput
  );
}

function classify(error: unknown): Pick<CollectionProblem, 'code' | 'isFinal'> {
  if (isOfOutput(error)) return { code: 'invalid_output', isFinal: true };
  if (error instanceof ObjectStoreUnavailable || error instanceof ObjectNotFound || error instanceof OutputNotStored)
    return { code: 'storage_error', isFinal: false };
  if (error instanceof ProviderUnreachable) return { code: 'provider_error', isFinal: false };
  if (error instanceof ApiError || error instanceof TimeStampMissing || error instanceof MarkerFault)
    return { code: 'capacity', isFinal: false };
  return { code: 'provider_error', isFinal: false };
}
