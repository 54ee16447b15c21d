import type { CancelOutcome, UpstreamStatus } from '../compute-provider.port';
import { type HttpAnswer, isSuccess } from '../http/bounded-exchange';
import type { InstanceConnection } from '../http/instance-connection';
import { parseJson } from '../http/json-answer';
import type { Dialect } from './openai-images-settings';
import { asVideoJob, isOver, toVideoStatus, type VideoJob } from './video-job';

const CONTROL_TIMEOUT_MS = 5_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;
const MAX_RECORD_BYTES = 1024 * 1024;
const MAX_VIDEO_BYTES = 64 * 1024 * 1024;
/** Bounds the memory: a poll follows its cancel immediately, and the oldest entries are removed. */
const MAX_REMEMBERED = 1_000;

/** The videos that a server makes asynchronously, by the server's ids. */
export class VideoJobs {
  /** The ends of videos whose records were deleted, for the poll after a cancel, which reads the cost of the work. */
  private readonly deleted = new Map<string, VideoJob>();

  constructor(
    private readonly connection: InstanceConnection,
    private readonly dialect: Dialect,
  ) {}

  async status(id: string): Promise<UpstreamStatus> {
    const found = await this.find(id);
    const job = found === 'not_found' ? this.deleted.get(id) : found;
    if (job === undefined || job === 'unreachable') return { state: job ?? 'not_found' };
    return toVideoStatus(job, () => this.fetch(job));
  }

  /** Also deletes the server's record of the video. */
  async cancel(id: string): Promise<CancelOutcome> {
    const found = await this.find(id);
    if (found === 'unreachable') return 'unknown';
    if (found === 'not_found') return 'too_late';
    if (isOver(found)) {
      await this.delete(found);
      return found.status === 'cancelled' ? 'stopped' : 'too_late';
    }
    return this.dialect.stopsVideosBy === 'cancel' ? this.requestStop(id) : this.deleteUnfinished(found);
  }

  /**
   * A release of SGLang without this request has deletion only, which hides the work and lets it continue. The record is kept
   * there, so that the late result is found and its cost counted.
   */
  private async requestStop(id: string): Promise<CancelOutcome> {
    const answer = await this.send('POST', `${pathOf(id)}/cancel`);
    if (answer === null || !isSuccess(answer)) return 'unknown';
    const job = asVideoJob(parseJson(answer.body));
    if (job?.id !== id || !isOver(job)) return 'unknown';
    await this.delete(job);
    return job.status === 'cancelled' ? 'stopped' : 'too_late';
  }

  /**
   * vLLM-Omni tries for two seconds to abort a running video and deletes the record in any case, so only a waiting one is
   * proven stopped.
   */
  private async deleteUnfinished({ id, status }: VideoJob): Promise<CancelOutcome> {
    const answer = await this.send('DELETE', pathOf(id));
    return answer !== null && isSuccess(answer) && status === 'queued' ? 'stopped' : 'unknown';
  }

  private async delete(job: VideoJob): Promise<void> {
    const answer = await this.send('DELETE', pathOf(job.id));
    if (answer === null || !isSuccess(answer)) return;
    this.deleted.set(job.id, job);
    const [oldest] = this.deleted.keys();
    if (this.deleted.size > MAX_REMEMBERED && oldest !== undefined) this.deleted.delete(oldest);
  }

  private fetch({ id, url }: VideoJob): Promise<Buffer> {
    const isElsewhere = url !== null && !url.startsWith('/') && !this.connection.owns(url);
    const bounds = { timeoutMs: DOWNLOAD_TIMEOUT_MS, maxBytes: MAX_VIDEO_BYTES };
    return this.connection.fetchFile(isElsewhere ? url : `${pathOf(id)}/content`, bounds);
  }

  private async find(id: string): Promise<VideoJob | 'not_found' | 'unreachable'> {
    const answer = await this.send('GET', pathOf(id));
    if (answer?.status === 404) return 'not_found';
    const job = answer && isSuccess(answer) ? asVideoJob(parseJson(answer.body)) : null;
    return job?.id === id ? job : 'unreachable';
  }

  /** Null without a whole answer. */
  private send(method: 'GET' | 'POST' | 'DELETE', to: string): Promise<HttpAnswer | null> {
    const request = { method, to, timeoutMs: CONTROL_TIMEOUT_MS, maxAnswerBytes: MAX_RECORD_BYTES };
    return this.connection.send(request).catch(() => null);
  }
}

function pathOf(id: string): string {
  return `/v1/videos/${id}`;
}
