import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config';
import { type BodyBounds, collectBody, receiveBody, type SenderPace, takeArrived } from './collect-body';
import type { LargeBodyParser } from './large-body-parser';
import { MultipartReader } from './multipart/multipart-reader';
import { type ReceivedBody, readJson } from './received-body';
import { declaredBytes, multipartBoundary } from './request-head';
import { bodyMaxBytesOf, fileTypeOf, policyOf } from './route-policy';

/** Parsing a smaller body takes one or two milliseconds, about as long as handing it to a worker thread. */
const LARGE_BODY_BYTES = 256 * 1024;

/** A body of 40 MB needs about 6 Mbit/s to arrive within this time. */
const BODY_MAX_MS = 60_000;

/** Collects the body of a request and parses it as its route requires: as JSON, as a form, as raw bytes, or not at all. */
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
    const { takesJson, takesMultipart, takesBytes, hashesBody, hashesBytes } = policyOf(request);
    const boundary = takesMultipart ? multipartBoundary(payload) : null;
    if (boundary !== null) return this.readForm(request, payload, boundary);
    const pieces = await this.collect(request, payload);
    if (takesBytes || fileTypeOf(request) !== null) return { value: join(pieces) };
    if (!takesJson) return undefined;
    const hashing = { canonical: hashesBody, bytes: hashesBytes };
    const isLarge = pieces.reduce((bytes, { length }) => bytes + length, 0) > LARGE_BODY_BYTES;
    return isLarge ? this.largeBodies.parse(pieces, hashing) : readJson(join(pieces), hashing);
  }

  private async collect(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer<ArrayBuffer>[]> {
    const bounds = this.boundsOf(request, payload);
    const arrived = takeArrived(payload, bounds);
    return arrived ? [arrived] : await collectBody(payload, bounds);
  }

  private async readForm(request: FastifyRequest, payload: IncomingMessage, boundary: string): Promise<ReceivedBody> {
    const bounds = this.boundsOf(request, payload);
    const reader = new MultipartReader(boundary);
    const arrived = takeArrived(payload, bounds);
    if (!arrived) return await receiveBody(payload, bounds, reader);
    reader.add(arrived);
    return await reader.end();
  }

  private boundsOf(request: FastifyRequest, payload: IncomingMessage): BodyBounds {
    return {
      maxBytes: bodyMaxBytesOf(request),
      declaredBytes: declaredBytes(payload.headers),
      pace: this.pace,
      charge: (bytes) => request.bodyRoom?.charge(bytes),
    };
  }
}

function join(pieces: Buffer<ArrayBuffer>[]): Buffer<ArrayBuffer> {
  const [only, second] = pieces;
  return only && !second ? only : Buffer.concat(pieces);
}
