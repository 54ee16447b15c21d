import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ApiError } from '@kinora/contracts/shared/errors';
import { makeThumbnail } from '@kinora/images';
import { FairSemaphore, SemaphoreTimeout } from '@kinora/service-kit';

/** A few widths, so that a client cannot make the console compute endlessly many variants. */
export const THUMBNAIL_WIDTHS = [64, 128, 256, 512, 1024] as const;
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

  /** @param open reads the image; it is called when there is room for it. */
  async make(sessionId: Buffer, width: ThumbnailWidth, open: () => Promise<IncomingMessage>): Promise<Buffer> {
    const work = async (): Promise<Buffer> => makeThumbnail(await readImage(await open()), width);
    try {
      return await this.permits.run(sessionId.toString('hex'), work, { timeoutMs: WAIT_MS });
    } catch (error) {
      throw error instanceof SemaphoreTimeout ? ApiError.unavailable('Room for another image') : error;
    }
  }
}

async function readImage(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > IMAGE_MAX_BYTES) throw new Error('too large');
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch {
    response.destroy();
    throw ApiError.unavailable('Storage');
  }
}
