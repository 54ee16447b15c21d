import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@kinora/contracts/shared/errors';
import { makeThumbnail } from '@kinora/images';
import { Clock, FairSemaphore, SemaphoreTimeout } from '@kinora/service-kit';
import { FileClient, readAll } from '../../http/file-client';
import { sessionOf } from '../../session/session.hook';
import type { Session } from '../../session/sessions';
import { KnownFiles, type OutputFile, takeLinks } from '../files/known-files';
import { credentialOf, GatewayClient } from '../gateway/gateway-client';
import { OpenAnswers } from '../gateway/open-answers';

/** A few widths, so that a client cannot make the console compute endlessly many variants. */
const THUMBNAIL_WIDTHS = [64, 128, 256, 512, 1024] as const;
export type ThumbnailWidth = (typeof THUMBNAIL_WIDTHS)[number];

/** Each decode may take 140 MB, and a core. One session has half of them. */
const AT_ONCE = 2;
const WAIT_MS = 10_000;
/** The largest image that a job makes. */
const IMAGE_MAX_BYTES = 65 * 1024 * 1024;

/** Smaller copies of images. A copy is kept nowhere, so that a deleted output leaves none. */
@Injectable()
export class Thumbnails {
  private readonly permits = new FairSemaphore(AT_ONCE);

  constructor(private readonly clock: Clock) {}

  /** @param open reads the image; it is called when there is room for it. */
  async make(sessionId: Buffer, width: ThumbnailWidth, open: () => Promise<IncomingMessage>): Promise<Buffer> {
    const work = async (): Promise<Buffer> => makeThumbnail(await readImage(await open()), width);
    try {
      return await this.permits.run(sessionId.toString('hex'), work, { deadline: this.clock.deadline(WAIT_MS) });
    } catch (error) {
      throw error instanceof SemaphoreTimeout ? ApiError.unavailable('Room for another image') : error;
    }
  }
}

async function readImage(response: IncomingMessage): Promise<Buffer> {
  return readAll(response, IMAGE_MAX_BYTES).catch(() => {
    response.destroy();
    throw ApiError.unavailable('Storage');
  });
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INDEX = /^\d{1,2}$/;
const SHOWN_TYPES = /^(image\/(png|jpeg|webp)|video\/mp4)$/;
const PASSED_HEADERS = ['content-length', 'content-range'];

export interface MediaParams {
  job: string;
  n: string;
}

/**
 * Sends an output of a job to a page of its session. The gateway says with the session's key where the file is, so a file of another
 * account does not exist. A browser keeps the file, and asks each time whether it may show it.
 */
@Injectable()
export class SendMedia {
  constructor(
    private readonly gateway: GatewayClient,
    private readonly known: KnownFiles,
    private readonly files: FileClient,
    private readonly thumbnails: Thumbnails,
    private readonly answers: OpenAnswers,
  ) {}

  async execute(request: FastifyRequest, reply: FastifyReply, params: MediaParams, w?: string): Promise<void> {
    const session = sessionOf(request);
    const width = readWidth(w);
    if (!UUID.test(params.job) || !INDEX.test(params.n)) throw noSuchFile();
    const signal = this.answers.begin(session.id, reply);
    const { file, isFresh } = await this.find(session, params, signal);
    const etag = `"${params.job}-${params.n}${width === null ? '' : `-${width}`}"`;
    void reply.headers({
      ETag: etag,
      'Cache-Control': 'private, no-cache',
      Vary: 'Cookie',
      'Content-Disposition': 'inline',
    });
    if (request.headers['if-none-match'] === etag) return void reply.status(304).send();
    if (width !== null && !file.mime.startsWith('image/'))
      throw new ApiError('invalid_query', 'w is for images only.', { param: 'w' });
    const open = (range?: string): Promise<IncomingMessage> =>
      this.open(session, params, { file, isFresh, signal, ...(range !== undefined && { range }) });
    if (width !== null) {
      const bytes = await this.thumbnails.make(session.id, width, open);
      return void reply.header('Content-Type', 'image/webp').send(bytes);
    }
    await this.stream(reply, file, await open(request.headers.range));
  }

  private async stream(reply: FastifyReply, { mime }: OutputFile, response: IncomingMessage): Promise<void> {
    for (const name of PASSED_HEADERS) {
      const value = response.headers[name];
      if (typeof value === 'string') void reply.header(name, value);
    }
    void reply.header('Accept-Ranges', 'bytes');
    if (response.statusCode === 416) {
      response.destroy();
      return void reply.status(416).header('Content-Length', 0).send();
    }
    await reply
      .status(response.statusCode ?? 200)
      .header('Content-Type', mime)
      .send(response);
  }

  private async find(session: Session, { job, n }: MediaParams, signal: AbortSignal): Promise<FoundFile> {
    const known = this.known.find(session.id, job);
    const files = known ?? (await this.read(session, job, signal));
    const file = files[Number(n)];
    if (!file || file.url === null || !SHOWN_TYPES.test(file.mime)) throw noSuchFile();
    return { file, isFresh: known === undefined };
  }

  private async read(session: Session, jobId: string, signal: AbortSignal): Promise<OutputFile[]> {
    const request = { method: 'GET', path: `/v1/jobs/${jobId}`, apiKey: credentialOf(session), session, signal };
    const { status, body } = await this.gateway.readJson(request);
    if (status === 429) throw new ApiError('rate_limited', 'Too many requests. Retry in 1 s.');
    if (status >= 500) throw ApiError.unavailable('The API');
    const jobs = status === 200 ? takeLinks(body) : [];
    this.known.remember(session.id, jobs);
    return jobs[0]?.files ?? [];
  }

  /** A link that was remembered may have ended meanwhile, so the job is read once more. */
  private async open(
    session: Session,
    params: MediaParams,
    { file, isFresh, signal, range }: FoundFile & { signal: AbortSignal; range?: string },
  ): Promise<IncomingMessage> {
    const response = await this.files.open(file.url ?? '', range === undefined ? {} : { Range: range }, signal);
    const { statusCode = 0 } = response;
    if ([200, 206, 416].includes(statusCode)) return response;
    response.destroy();
    if (statusCode >= 500) throw ApiError.unavailable('Storage');
    if (isFresh) throw noSuchFile();
    this.known.forget(session.id, params.job);
    const again = await this.find(session, params, signal);
    return this.open(session, params, { ...again, signal, ...(range !== undefined && { range }) });
  }
}

interface FoundFile {
  file: OutputFile;
  /** Whether the gateway has just answered it. */
  isFresh: boolean;
}

function readWidth(w: string | undefined): ThumbnailWidth | null {
  if (w === undefined) return null;
  const width = THUMBNAIL_WIDTHS.find((each) => String(each) === w);
  if (width === undefined)
    throw new ApiError('invalid_query', `w must be one of ${THUMBNAIL_WIDTHS.join(', ')}.`, { param: 'w' });
  return width;
}

function noSuchFile(): ApiError {
  return new ApiError('not_found', 'There is no such file.');
}
