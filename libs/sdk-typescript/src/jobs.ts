import { type DownloadOptions, type DownloadedFile, downloadToFile } from './download';
import { NotFoundError } from './errors';
import { type StreamEvent, followEvents } from './event-stream';
import { type WaitOptions, isEndEvent, jobPath, succeeded, waitForJob } from './job-wait';
import { ListCall } from './list-call';
import { nodeModule } from './platform';
import type { Appeal, Job, JobProgress, Receipt, SucceededJob, WebhookEvent } from './resources';
import type { CallOptions, Transport } from './transport';

export type JobEvent =
  | { id: string | null; type: 'job.progress'; data: JobProgress }
  | { id: string | null; type: WebhookEvent['type']; data: Job };

export interface JobFilters {
  status?: Job['status'];
  model?: string;
  /** Jobs of a page, 1 to 100. */
  limit?: number;
  cursor?: string;
}

export class Jobs {
  constructor(private readonly transport: Transport) {}

  async get(id: string, options?: CallOptions): Promise<Job> {
    return await this.transport.request({ method: 'GET', path: jobPath(id) }, options);
  }

  /** Newest first. */
  list(filters: JobFilters = {}, options?: CallOptions): ListCall<Job> {
    return new ListCall(this.transport, '/jobs', filters, options);
  }

  /** The job once it has succeeded. @throws JobFailedError, JobPendingError */
  wait(id: string, options?: WaitOptions): Promise<SucceededJob> {
    return waitForJob(this.transport, id, options);
  }

  /** A job that has ended is returned unchanged. */
  async cancel(id: string, options?: CallOptions): Promise<Job> {
    return await this.transport.request({ method: 'POST', path: jobPath(id, '/cancel') }, options);
  }

  /** Asks an operator to look at a block again. A job has one appeal: a repeat returns it. */
  async appeal(id: string, body: { text: string }, options?: CallOptions): Promise<Appeal> {
    return await this.transport.request({ method: 'POST', path: jobPath(id, '/appeal'), body }, options);
  }

  /** Its progress at the begin and at each change, and the job at its end, which is the last event. */
  async *events(
    id: string,
    options: CallOptions & { lastEventId?: string } = {},
  ): AsyncGenerator<JobEvent, void, undefined> {
    const operation = { method: 'GET', path: jobPath(id, '/events') } as const;
    for await (const event of followEvents(this.transport, operation, { ...options, hasEnd: true })) {
      if (!isKnown(event)) continue;
      yield event;
      if (isEndEvent(event.type)) return;
    }
  }

  async progress(id: string, options?: CallOptions): Promise<JobProgress> {
    return await this.transport.request({ method: 'GET', path: jobPath(id, '/progress') }, options);
  }

  async receipt(id: string, options?: CallOptions): Promise<Receipt> {
    return await this.transport.request({ method: 'GET', path: jobPath(id, '/receipt') }, options);
  }

  async deleteOutputs(id: string, options?: CallOptions): Promise<Job> {
    return await this.transport.request({ method: 'DELETE', path: jobPath(id, '/outputs') }, options);
  }

  /** Deletes prompts, input images and outputs for good. */
  async deleteContent(id: string, options?: CallOptions): Promise<Job> {
    return await this.transport.request({ method: 'DELETE', path: jobPath(id, '/content') }, options);
  }

  /** Writes all outputs into a folder, and compares each with the hash of the receipt. @throws JobFailedError */
  async download(id: string, folder: string, options: Omit<DownloadOptions, 'sha256'> = {}): Promise<DownloadedFile[]> {
    const paths = await nodeModule('node:path');
    const { mkdir } = await nodeModule('node:fs/promises');
    await mkdir(folder, { recursive: true });
    // Read again, because links expire.
    const { output } = succeeded(await this.get(id, options));
    const hashes = await this.outputHashes(id, options);
    const outputs = 'images' in output ? output.images : [output.video];
    const files: DownloadedFile[] = [];
    for (const [index, each] of outputs.entries()) {
      const path = paths.join(folder, `${id}-${index}.${each.mime.split('/')[1]?.replace('jpeg', 'jpg')}`);
      files.push(await downloadToFile(this.transport, each, path, { ...options, sha256: hashes[index] }));
    }
    return files;
  }

  /** Services of an older release have no receipts. */
  private async outputHashes(id: string, options: CallOptions): Promise<string[]> {
    try {
      return (await this.receipt(id, options)).payload.output_sha256 ?? [];
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      throw error;
    }
  }
}

function isKnown(event: StreamEvent): event is JobEvent {
  return event.type === 'job.progress' || isEndEvent(event.type);
}
