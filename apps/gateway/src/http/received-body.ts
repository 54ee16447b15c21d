import { createHash } from 'node:crypto';
import { ApiError } from '@kinora/contracts/shared/errors';
import { canonicalJson } from './canonical-json';
import { findJsonError } from './json-error';
import { findRepeatedName } from './repeated-name';
import { shownParam } from './shown-param';

/** A body as JSON, or as its bytes. */
export interface ReceivedBody {
  value: unknown;
  /** Of the canonical text; only where it was asked for. */
  sha256?: string;
}

/** Keeps a byte order mark, which then is no JSON, and refuses bytes that are not UTF-8 instead of replacing them. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws ApiError invalid_json, invalid_body */
export function readJson(bytes: Buffer, { hashed }: { hashed: boolean }): ReceivedBody {
  const value = parse(bytes);
  assertNoRepeatedName(bytes);
  return hashed ? { value, sha256: createHash('sha256').update(canonicalJson(value)).digest('hex') } : { value };
}

function parse(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ApiError('invalid_json', explainJsonError(text));
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ApiError('invalid_json', 'The body must be JSON in UTF-8, and is not UTF-8.');
  }
}

/** Says where the mistake is, and never repeats what stands there. */
function explainJsonError(text: string): string {
  if (text === '') return 'The body is empty, and must be JSON.';
  const at = findJsonError(text);
  const lines = text.slice(0, at).split('\n');
  const place = `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  return `The body is not valid JSON: ${at < text.length ? 'unexpected character' : 'it ends too early,'} ${place}.`;
}

/** JSON leaves open what a repeated name means. Here it is refused, as is a field that is not known: one of the two was a mistake. */
function assertNoRepeatedName(bytes: Buffer): void {
  const name = findRepeatedName(bytes);
  if (name === null) return;
  const param = shownParam(name);
  throw new ApiError('invalid_body', `${param} stands in the body twice.`, { param });
}
