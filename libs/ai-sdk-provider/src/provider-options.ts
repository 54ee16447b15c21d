import type { JSONValue, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { GenerateOptions } from '@kinora/client';

/** `providerOptions.kinora` of a call. Other names are fields of the request, as the API spells them (`negative_prompt`). */
export type KinoraProviderOptions = Record<string, JSONValue | undefined> & {
  /** Repeats an earlier call without paying twice. */
  idempotencyKey?: string;
  /** The id of a quote, whose price then applies. */
  quote?: string;
  /** Milliseconds of the wait for the result; 600,000 without it. */
  timeout?: number;
  /** Whether an abort also cancels the job. */
  cancelOnAbort?: boolean;
};

interface Call {
  providerOptions: SharedV3ProviderOptions;
  abortSignal?: AbortSignal;
  headers?: Record<string, string | undefined>;
}

/** The fields of the request and the options of the client that a call of the AI SDK carries. */
export function readOptions({ providerOptions, abortSignal, headers = {} }: Call): {
  fields: Record<string, JSONValue | undefined>;
  options: GenerateOptions;
} {
  const { idempotencyKey, quote, timeout, cancelOnAbort, ...fields } = (providerOptions.kinora ??
    {}) as KinoraProviderOptions;
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const options = {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(quote !== undefined && { quote }),
    ...(timeout !== undefined && { timeout }),
    ...(cancelOnAbort !== undefined && { cancelOnAbort }),
    ...(abortSignal && { signal: abortSignal }),
    headers: Object.fromEntries(sent),
  };
  return { fields, options };
}
