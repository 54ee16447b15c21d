import { type Hash, createHash } from 'node:crypto';
import { Dicer } from '@fastify/busboy';
import { IMAGE_TEXT_CHARS } from '@kinora/contracts/jobs/image-input';
import { ApiError } from '@kinora/contracts/shared/errors';
import { INPUT_BOUNDS } from '@kinora/images';
import { BodyPieces, type BodySink } from '../body-pieces';
import { fieldRefusal } from '../error-answer';
import type { ReceivedBody } from '../received-body';
import { type FormPart, hashParts, type PartHead, readPartHead, toForm } from './form';

/** Beyond all fields of a request, its metadata and its images. */
export const PARTS_MAX = 64;
/** Beyond the longest text of any field. */
export const TEXT_MAX_BYTES = 32 * 1024;
/** The names of images as data URIs. */
const IMAGE_TEXT = /\[image_url\]$/;
/** A file is an image; a larger one would be refused later. */
const FILE_MAX_BYTES = INPUT_BOUNDS.maxBytes;
const FILE_TOO_LARGE = `is larger than ${FILE_MAX_BYTES / 1024 / 1024} MiB`;
/** Of one part; the reader knows three. */
const HEADERS_MAX = 16;
/** Most parts are a word, and must not take much more memory than they have bytes. */
const PIECE_MIN_BYTES = 64;

interface ArrivingPart {
  /** Null until its header has arrived. */
  head: PartHead | null;
  pieces: BodyPieces;
  hash: Hash;
  isEnded: boolean;
}

/**
 * Reads a multipart body chunk by chunk, and keeps the bytes of its parts only. Everything malformed is refused: the parser below skips
 * a part that it cannot read, and a request without this part would mean something else.
 */
export class MultipartReader implements BodySink<ReceivedBody> {
  private readonly parser: Dicer;
  private parts: ArrivingPart[] = [];
  private bytes = 0;
  private hasClosed = false;
  private refusal: ApiError | null = null;
  private settle: () => void = () => undefined;

  constructor(boundary: string) {
    this.parser = new Dicer({ boundary, maxHeaderPairs: HEADERS_MAX });
    this.parser.on('part', (stream) => this.begin(stream));
    this.parser.on('finish', () => {
      this.hasClosed = true;
      this.settle();
    });
    this.parser.on('error', () => this.refuse(this.bodyCutOff()));
  }

  get length(): number {
    return this.bytes;
  }

  /** @throws ApiError invalid_body as soon as a part is refused */
  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    // What follows the last boundary is ignored (RFC 2046, 5.1.1).
    if (!this.hasClosed) this.parser.write(chunk);
    if (this.refusal) throw this.refusal;
  }

  /** The form, with one hash of its parts for both purposes. @throws ApiError invalid_body */
  async end(): Promise<ReceivedBody> {
    await this.parseRest();
    if (this.refusal) throw this.refusal;
    const parts = this.parts.map(toFormPart);
    this.parts = [];
    const sha256 = hashParts(parts);
    return { value: toForm(parts), sha256, bytes_sha256: sha256 };
  }

  drop(): void {
    this.parts = [];
    // The parser may still emit what it has read already.
    this.refusal ??= this.bodyCutOff();
  }

  /** Resolves when everything is read or something is refused. The streams of the parts end some ticks after the parser. */
  private parseRest(): Promise<void> {
    return new Promise((resolve) => {
      this.settle = () => {
        if (this.refusal || (this.hasClosed && this.parts.every(({ isEnded }) => isEnded))) resolve();
      };
      this.parser.end();
      this.settle();
    });
  }

  private begin(stream: Dicer.PartStream): void {
    const part: ArrivingPart = {
      head: null,
      pieces: new BodyPieces(FILE_MAX_BYTES, PIECE_MIN_BYTES),
      hash: createHash('sha256'),
      isEnded: false,
    };
    stream.on('header', (fields) => this.readHead(part, fields as Record<string, string[]>));
    stream.on('data', (chunk) => this.keep(part, chunk as Buffer));
    stream.on('end', () => this.close(part));
    // The parser reports the same error itself.
    stream.on('error', () => undefined);
    if (this.parts.length === PARTS_MAX)
      this.refuse(new ApiError('invalid_body', `The body must have at most ${PARTS_MAX} parts.`));
    else if (!this.refusal) this.parts.push(part);
  }

  private readHead(part: ArrivingPart, fields: Record<string, string[]>): void {
    try {
      part.head = readPartHead(fields);
    } catch (error) {
      this.refuse(error as ApiError);
    }
  }

  private keep({ head, pieces, hash }: ArrivingPart, chunk: Buffer): void {
    if (this.refusal || !head) return;
    const bytes = pieces.length + chunk.length;
    const textMaxBytes = IMAGE_TEXT.test(head.name) ? IMAGE_TEXT_CHARS.max : TEXT_MAX_BYTES;
    if (bytes > (head.isFile ? FILE_MAX_BYTES : textMaxBytes)) {
      const problem = head.isFile ? FILE_TOO_LARGE : `must be at most ${textMaxBytes} bytes long`;
      return this.refuse(fieldRefusal(head.name, problem));
    }
    hash.update(chunk);
    pieces.add(chunk);
  }

  private close(part: ArrivingPart): void {
    part.isEnded = true;
    if (!part.head) this.refuse(new ApiError('invalid_body', 'A part of the multipart body has no complete header.'));
    this.settle();
  }

  private refuse(refusal: ApiError): void {
    this.refusal ??= refusal;
    this.settle();
  }

  private bodyCutOff(): ApiError {
    const open = this.parts.find(({ isEnded }) => !isEnded)?.head;
    if (open) return fieldRefusal(open.name, 'is incomplete: the body ends without its closing boundary');
    return new ApiError('invalid_body', 'The multipart body is incomplete: it ends without its closing boundary.');
  }
}

function toFormPart({ head, pieces, hash }: ArrivingPart): FormPart {
  if (!head) throw new Error('A part without a header must be refused before.');
  return { ...head, bytes: Buffer.concat(pieces.end()), sha256: hash.digest('hex') };
}
