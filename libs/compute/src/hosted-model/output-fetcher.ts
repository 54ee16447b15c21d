import type { FetchOutput } from '../compute-provider.port';
import { decodeInlineFile } from '../http/inline-file';
import type { InstanceConnection } from '../http/instance-connection';

/** A video of eight seconds is smaller; the bound protects the memory. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const OUTPUT_TIMEOUT_MS = 120_000;

/** Fetches an output of a hosted model: a data URI, or an untrusted URL. */
export function outputFetcher(connection: InstanceConnection): (text: string) => FetchOutput {
  const bounds = { timeoutMs: OUTPUT_TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES };
  return (text) => async () =>
    /^data:/i.test(text) ? decodeInlineFile(text) : await connection.fetchFile(text, bounds);
}
