import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { collectBody, takeArrived } from './collect-body';
import type { LargeBodyParser } from './large-body-parser';
import { type ReceivedBody, readJson } from './received-body';
import { policyOf } from './route-policy';

/** Below it, reading costs a millisecond or two, about as much as handing over would. */
const LARGE_BODY_BYTES = 256 * 1024;

/** Forty megabytes need a line of six megabits a second. */
const BODY_TIMEOUT_MS = 60_000;

/** Collects a request's body and reads it as its route takes it: as JSON, as its bytes, or not at all. */
export class BodyParser {
  constructor(private readonly largeBodies: LargeBodyParser) {}

  /** @throws ApiError invalid_body, invalid_json */
  async parse(request: FastifyRequest, payload: IncomingMessage): Promise<ReceivedBody | undefined> {
    const { bodyMaxBytes, takesJson, takesBytes } = policyOf(request);
    const length = payload.headers['content-length'];
    const bounds = { maxBytes: bodyMaxBytes, timeoutMs: BODY_TIMEOUT_MS };
    const bytes =
      takeArrived(payload, bodyMaxBytes) ??
      (await collectBody(payload, bounds, length === undefined ? undefined : Number(length)));
    if (takesBytes) return { value: bytes };
    if (!takesJson) return undefined;
    const options = { hashed: request.headers['idempotency-key'] !== undefined };
    return bytes.length > LARGE_BODY_BYTES ? this.largeBodies.parse(bytes, options) : readJson(bytes, options);
  }
}
