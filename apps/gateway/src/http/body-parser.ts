import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config';
import { type BodyBounds, collectBody, takeArrived } from './collect-body';
import type { LargeBodyParser } from './large-body-parser';
import { type ReceivedBody, readJson } from './received-body';
import { declaredBytes } from './request-head';
import { policyOf } from './route-policy';
import type { SenderPace } from './sender-pace';

/** Below it, reading costs a millisecond or two, about as much as handing over would. */
const LARGE_BODY_BYTES = 256 * 1024;

/** Forty megabytes need a line of six megabits a second. */
const BODY_MAX_MS = 60_000;

/** Collects a request's body and reads it as its route takes it: as JSON, as its bytes, or not at all. */
export class BodyParser {
  private readonly pace: SenderPace;

  constructor(
    private readonly largeBodies: LargeBodyParser,
    { bodyGraceSeconds, bodyMinBytesPerSecond }: GatewayConfig,
  ) {
    this.pace = {
      graceMs: bodyGraceSeconds * 1_000,
      minBytesPerSecond: bodyMinBytesPerSecond,
      maxMs: BODY_MAX_MS,
    };
  }

  /** @throws ApiError invalid_body, invalid_json, capacity */
  async parse(request: FastifyRequest, payload: IncomingMessage): Promise<ReceivedBody | undefined> {
    const { takesJson, takesBytes } = policyOf(request);
    const pieces = await this.collect(request, payload);
    if (takesBytes) return { value: join(pieces) };
    if (!takesJson) return undefined;
    const options = { hashed: request.headers['idempotency-key'] !== undefined };
    const isLarge = pieces.reduce((bytes, { length }) => bytes + length, 0) > LARGE_BODY_BYTES;
    return isLarge ? this.largeBodies.parse(pieces, options) : readJson(join(pieces), options);
  }

  private async collect(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer<ArrayBuffer>[]> {
    const bounds: BodyBounds = {
      maxBytes: policyOf(request).bodyMaxBytes,
      declaredBytes: declaredBytes(payload.headers),
      pace: this.pace,
      charge: (bytes) => request.bodyRoom?.charge(bytes),
    };
    const arrived = takeArrived(payload, bounds);
    return arrived ? [arrived] : await collectBody(payload, bounds);
  }
}

function join(pieces: Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const [only, second] = pieces;
  return only && !second ? only : Buffer.concat(pieces);
}
