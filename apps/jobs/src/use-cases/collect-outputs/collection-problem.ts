import { InvalidUpstreamOutput, ProviderUnreachable } from '@kinora/compute';
import { ImageProblem } from '@kinora/images';
import { ObjectNotFound, ObjectStoreUnavailable } from '@kinora/object-store';
import { VideoProblem } from '@kinora/videos';
import { ApiError, type JobErrorCode } from '@kinora/contracts/shared/errors';

export interface CollectionProblem {
  error: unknown;
  /** What the job fails with, now or at its deadline. */
  code: JobErrorCode;
  /** Whether trying again could not help. */
  isFinal: boolean;
  /** For operators, who see it with the attempt. */
  reason: string;
}

/** A file of the wrong number, size or kind: what the provider made is not what was asked for. */
export class InvalidOutput extends Error {}

/** The store gives back something else than it was given. */
export class OutputNotStored extends Error {}

export function toCollectionProblem(error: unknown): CollectionProblem {
  return { error, ...classify(error), reason: `its outputs were not collected: ${wordsOf(error)}` };
}

/** Of what we throw ourselves; another error's words may name what no operator has to see. */
function wordsOf(error: unknown): string {
  if (error instanceof ObjectStoreUnavailable || error instanceof ObjectNotFound)
    return 'the object store is in trouble';
  if (error instanceof ApiError) return `${error.code} of another service`;
  return isOfOutput(error) || error instanceof OutputNotStored || error instanceof ProviderUnreachable
    ? error.message
    : 'an error, which the log names';
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
  if (error instanceof ApiError) return { code: 'capacity', isFinal: false };
  return { code: 'provider_error', isFinal: false };
}
