import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@kinora/contracts/shared/errors';
import { sentFields } from '@kinora/contracts/shared/compiled-fields';
import { canonicalJson } from '@kinora/signatures';
import { fieldRefusal } from './error-answer';
import { findJsonError, findRepeatedName } from './json-text';

/** A body as parsed JSON or as raw bytes. */
export interface ReceivedBody {
  value: unknown;
  /** SHA-256 of the canonical JSON without fields that are null; only if requested, and if no field is nested too deeply. */
  sha256?: string;
  /** SHA-256 of the bytes as received; only if requested. */
  bytes_sha256?: string;
}

export interface BodyHashing {
  /** Of the canonical JSON, for idempotency keys and receipts. */
  canonical: boolean;
  /** Of the bytes as received, for clients that repeat a request without a key. */
  bytes: boolean;
}

/**
 * `fatal` refuses bytes that are not UTF-8 instead of replacing them. `ignoreBOM` keeps a byte order mark, which
 * JSON.parse then refuses.
 */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws ApiError invalid_json, invalid_body */
export function readJson(bytes: Buffer, hashing: BodyHashing): ReceivedBody {
  const value = parse(bytes);
  assertNoRepeatedName(bytes);
  const sha256 = hashing.canonical ? hashOf(value) : null;
  return {
    value,
    ...(sha256 !== null && { sha256 }),
    ...(hashing.bytes && { bytes_sha256: hash('sha256', bytes) }),
  };
}

/** Null for a value that is nested too deeply to be a legal body: the field rules refuse it, and name the field. */
function hashOf(value: unknown): string | null {
  try {
    return hash('sha256', canonicalJson(sentFields(value)));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
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
    throw new ApiError('invalid_json', 'The body is not valid UTF-8. Send JSON encoded in UTF-8.');
  }
}

/** Names the position of the error and never quotes the body, which may contain secrets. */
function explainJsonError(text: string): string {
  if (text === '') return 'The body is empty. Send a JSON object.';
  const at = findJsonError(text);
  const lines = text.slice(0, at).split('\n');
  const place = `at line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
  return `The body is not valid JSON: ${at < text.length ? 'unexpected character' : 'it ends too early,'} ${place}.`;
}

/**
 * JSON does not define what a repeated name means. The gateway refuses it like an unknown field, because one of the two
 * is a mistake.
 */
function assertNoRepeatedName(bytes: Buffer): void {
  const name = findRepeatedName(bytes);
  if (name !== null) throw fieldRefusal(name, 'appears twice in the body');
}

/**
 * Gives up the body of a request that is held after its body was used: a held request would otherwise keep up to 43 MB, and
 * its part of the body budget, for as long as a minute.
 */
export function releaseBody(request: FastifyRequest): void {
  const body = request.body as ReceivedBody | null | undefined;
  // The handler's arguments refer to the same object.
  if (body) body.value = undefined;
  request.body = undefined;
  request.bodyRoom?.release();
}
