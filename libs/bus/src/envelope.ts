import { ApiError, type ErrorPayload, isErrorCode } from '@kinora/contracts/shared/errors';
import { isRecord } from '@kinora/contracts/shared/texts';

/** Format of an answer on the wire: exactly one of the two fields. */
export type Reply = { ok: unknown } | { error: ErrorPayload };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encode(value: unknown): Uint8Array {
  return encodeText(JSON.stringify(value));
}

export function encodeText(json: string): Uint8Array {
  return encoder.encode(json);
}

/** Undefined for bytes that are not JSON: one such message must never end a process. */
export function decode(data: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(data)) as unknown;
  } catch {
    return undefined;
  }
}

/** The answer's value, or its error, restored to its class. @throws ApiError */
export function unwrapReply(reply: unknown): unknown {
  if (isRecord(reply)) {
    if (isErrorPayload(reply['error'])) throw ApiError.fromPayload(reply['error']);
    if ('ok' in reply) return reply['ok'];
  }
  throw ApiError.internal();
}

function isErrorPayload(value: unknown): value is ErrorPayload {
  return isRecord(value) && isErrorCode(value['code']) && 'message' in value;
}
