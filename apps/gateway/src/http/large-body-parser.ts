import { Worker } from 'node:worker_threads';
import { ApiError } from '@kinora/contracts/shared/errors';
import type { Logger } from '@kinora/service-kit';
import type { LargeBodyReply, LargeBodyRequest } from './large-body.worker';
import type { BodyHashing, ReceivedBody } from './received-body';

/** The file that the worker thread runs, and the Node options that it needs. */
export interface WorkerProgram {
  file: string;
  execArgv?: string[];
}

interface Waiting {
  resolve: (body: ReceivedBody) => void;
  reject: (error: ApiError) => void;
}

/**
 * Parses bodies with images on a worker thread, so that the event loop stays free for other requests. A long data URI
 * comes back as its bytes. The pieces of the body, and the images in the reply, are transferred without a copy.
 */
export class LargeBodyParser {
  private readonly waiting = new Map<number, Waiting>();
  private worker: Worker | undefined;
  private lastId = 0;

  constructor(
    private readonly program: WorkerProgram,
    private readonly logger: Logger,
  ) {}

  /** @throws ApiError invalid_json, invalid_body; capacity if the thread dies while parsing */
  parse(pieces: Uint8Array<ArrayBuffer>[], hashing: BodyHashing): Promise<ReceivedBody> {
    const worker = (this.worker ??= this.start());
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const memory = pieces.map(({ buffer }) => buffer);
      worker.postMessage({ id, pieces, hashing } satisfies LargeBodyRequest, memory);
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const { file, execArgv } = this.program;
    const worker = new Worker(file, execArgv === undefined ? {} : { execArgv });
    worker.on('message', (reply: LargeBodyReply) => this.settle(reply));
    worker.on('error', ({ stack }) => this.logger.error({ stack }, 'large_body_thread_died'));
    worker.once('exit', () => this.abandon(worker));
    return worker;
  }

  private settle(reply: LargeBodyReply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('body' in reply) waiting?.resolve(reply.body);
    else waiting?.reject(ApiError.fromPayload(reply.error));
  }

  /** Rejects all waiting bodies; the next large body starts a new thread. */
  private abandon(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(ApiError.unavailable('The reader of large bodies'));
    this.waiting.clear();
  }
}
