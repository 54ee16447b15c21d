import type { AttemptSignal } from './attempt-signal';
import { ConnectionError, InvalidRequestError, NotFoundError, errorOfAnswer } from './errors';
import { joinBytes, nodeModule, randomId, toHex } from './platform';
import type { ImageOutput, VideoOutput } from './resources';
import { type CallOptions, FailedAttempt, type Operation, type Transport } from './transport';

export interface DownloadOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** The hash that the file must have, in hexadecimal digits; `output_sha256` of a receipt has it. */
  sha256?: string | null | undefined;
}

export interface DownloadedFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** An output of a job, or its link. */
export type Output = string | Pick<ImageOutput | VideoOutput, 'url' | 'bytes'>;

interface Source {
  url: string;
  bytes: number | undefined;
}

/** @throws InvalidRequestError for no output, NotFoundError for one without a link */
function sourceOf(output: Output | undefined): Source {
  if (typeof output === 'string') return { url: output, bytes: undefined };
  const problem = { type: 'invalid_request_error', code: 'invalid_output', param: 'output' };
  if (!output) throw new InvalidRequestError('There is no such output.', problem);
  if (output.url) return { url: output.url, bytes: output.bytes };
  throw new NotFoundError('The output was deleted or has expired.', { type: 'not_found', code: 'not_found' });
}

/** Receives the chunks of one attempt. */
interface Sink {
  write(chunk: Uint8Array): Promise<unknown>;
}

const OPERATION: Operation = { method: 'GET', path: '(output)' };

/** Writes an output to disk: to a temporary name beside it first, so that `path` is never half a file. */
export async function downloadToFile(
  transport: Transport,
  output: Output,
  path: string,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  const source = sourceOf(output);
  const { open, rename, rm } = await nodeModule('node:fs/promises');
  const { createHash } = await nodeModule('node:crypto');
  return await transport.repeat(OPERATION, options, async (attempt) => {
    const part = `${path}.${randomId()}.part`;
    const hash = createHash('sha256');
    const file = await open(part, 'wx');
    try {
      const bytes = await receive(
        transport,
        source,
        { options, attempt },
        {
          write: (chunk) => file.write(hash.update(chunk) && chunk),
        },
      );
      const sha256 = hash.digest('hex');
      assertHash(sha256, options);
      await file.close();
      await rename(part, path);
      return { path, bytes, sha256 };
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(part, { force: true });
      throw error;
    }
  });
}

/** The bytes of an output, for programs without a disk. */
export async function downloadBytes(
  transport: Transport,
  output: Output,
  options: DownloadOptions = {},
): Promise<Uint8Array> {
  const source = sourceOf(output);
  return await transport.repeat(OPERATION, options, async (attempt) => {
    const chunks: Uint8Array[] = [];
    await receive(transport, source, { options, attempt }, { write: async (chunk) => chunks.push(chunk) });
    const bytes = joinBytes(chunks);
    if (options.sha256) assertHash(toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))), options);
    return bytes;
  });
}

/** @returns the length, which is that of the response and that of the output */
async function receive(
  transport: Transport,
  { url, bytes }: Source,
  { options, attempt }: { options: DownloadOptions; attempt: AttemptSignal },
  sink: Sink,
): Promise<number> {
  // Without the key: the link grants the access, and its host may be another one.
  const response = await transport.settings.fetch(url, { signal: attempt.signal });
  options.onResponse?.(response);
  const { status, headers } = response;
  const body = response.body as ReadableStream<Uint8Array> | null;
  if (!response.ok || !body) {
    const text = await response.text();
    throw new FailedAttempt(errorOfAnswer(status, headers, text), { status, headers });
  }
  let length = 0;
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      await sink.write(part.value);
      length += part.value.byteLength;
      attempt.restart();
    }
  } finally {
    // A full disk must not leave the connection open.
    await reader.cancel().catch(() => undefined);
  }
  const announced = headers.has('content-encoding') ? null : headers.get('content-length');
  for (const expected of [announced, bytes])
    if (expected !== null && expected !== undefined && Number(expected) !== length)
      throw new ConnectionError(`The file has ${length} of ${expected} bytes.`, { code: 'truncated' });
  return length;
}

function assertHash(actual: string, { sha256 }: DownloadOptions): void {
  if (sha256 && sha256.toLowerCase() !== actual)
    throw new ConnectionError(`The file has the SHA-256 ${actual} instead of ${sha256}.`, { code: 'truncated' });
}
