import { ConnectionError, JobFailedError, JobPendingError, KinoraError } from './errors';
import { AuthenticationError, PermissionDeniedError } from './errors';
import { AttemptSignal } from './attempt-signal';
import { followEvents } from './event-stream';
import { type Job, type JobProgress, type SucceededJob, isEnded } from './resources';
import { retryDelaySeconds } from './retry-delay';
import { type CallOptions, type Transport, segment } from './transport';

export interface WaitOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Milliseconds of the whole wait; 600,000 without one. */
  timeout?: number | undefined;
  /** Receives the progress at the begin and at each change. */
  onUpdate?: ((progress: JobProgress) => void) | undefined;
  /** Whether an abort of `signal` also cancels the job. */
  cancelOnAbort?: boolean | undefined;
}

const WAIT_MS = 600_000;
/** The longest wait that the API grants. */
const LONGEST_PREFERENCE_S = 60;
const FIRST_POLL_MS = 500;
const SLOWEST_POLL_MS = 5_000;

/**
 * The job once it has succeeded: by its events, else by requests that wait, else by polling.
 * @throws JobFailedError for another end, JobPendingError if the wait ends first
 */
export async function waitForJob(
  transport: Transport,
  jobId: string,
  options: WaitOptions = {},
  idempotencyKey: string | null = null,
): Promise<SucceededJob> {
  const { timeout = WAIT_MS, signal, cancelOnAbort } = options;
  const limit = new AttemptSignal(timeout, signal);
  const call = { ...options, timeout: undefined, signal: limit.signal };
  const pending = (code: string, cause: unknown): JobPendingError<SucceededJob> => {
    // The signal has fired already, so another wait with it would end at once.
    const again = (changes: WaitOptions) =>
      waitForJob(transport, jobId, { ...options, signal: null, ...changes }, idempotencyKey);
    return new JobPendingError(jobId, again, { code, cause, idempotencyKey });
  };
  try {
    const deadlineMs = Date.now() + timeout;
    const job = (await followToEnd(transport, jobId, call)) ?? (await pollToEnd(transport, jobId, call, deadlineMs));
    return succeeded(job, idempotencyKey);
  } catch (error) {
    if (error instanceof JobFailedError) throw error;
    if (limit.isAborted) {
      const job = cancelOnAbort ? await cancelAfterAbort(transport, jobId, options) : null;
      if (job && isEnded(job)) return succeeded(job, idempotencyKey);
      throw pending('aborted', signal?.reason);
    }
    if (limit.isTimedOut) throw pending('timeout', error);
    if (error instanceof KinoraError && isTemporary(error)) throw pending('unavailable', error);
    throw error;
  } finally {
    limit.release();
  }
}

/** @throws JobFailedError unless the job has succeeded */
export function succeeded(job: Job, idempotencyKey: string | null = null): SucceededJob {
  if (job.status === 'succeeded' && job.output) return job as SucceededJob;
  throw new JobFailedError(job, { idempotencyKey });
}

/** Null where the job cannot be followed. */
async function followToEnd(transport: Transport, jobId: string, options: WaitOptions): Promise<Job | null> {
  const operation = { method: 'GET', path: jobPath(jobId, '/events') } as const;
  let failure: unknown;
  try {
    for await (const { type, data } of followEvents(transport, operation, {
      ...options,
      maxRetries: 0,
      hasEnd: true,
    })) {
      if (type === 'job.progress') {
        try {
          options.onUpdate?.(data as JobProgress);
        } catch (error) {
          failure = error;
          throw error;
        }
      } else if (isEndEvent(type)) return data as Job;
    }
  } catch (error) {
    if (error === failure || options.signal?.aborted) throw error;
    if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) throw error;
  }
  return null;
}

export function isEndEvent(type: string): boolean {
  return type === 'job.succeeded' || type === 'job.failed' || type === 'job.canceled';
}

/** Where a wait is not granted, the pauses between two requests grow. */
async function pollToEnd(transport: Transport, jobId: string, options: WaitOptions, deadlineMs: number): Promise<Job> {
  const path = jobPath(jobId);
  let status: string | undefined;
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(SLOWEST_POLL_MS, pollMs * 1.5)) {
    const seconds = Math.min(LONGEST_PREFERENCE_S, Math.max(1, Math.ceil((deadlineMs - Date.now()) / 1_000)));
    const { body: job, headers } = await transport.exchange<Job>(
      { method: 'GET', path, headers: { prefer: `wait=${seconds}` } },
      { ...options, timeout: transport.settings.timeoutMs + seconds * 1_000 },
    );
    if (isEnded(job)) return job;
    if (job.status !== status) options.onUpdate?.(progressOf(job));
    status = job.status;
    if (headers.has('preference-applied')) pollMs = FIRST_POLL_MS;
    else await transport.pause(pollMs, { method: 'GET', path }, options.signal);
  }
}

/** A job does not report its progress, so only its status is known here. */
function progressOf({ id, status, started_at, created_at }: Job): JobProgress {
  const unknown = { progress: null, queue_position: null, eta_seconds: null };
  return { object: 'job.progress', job_id: id, status, ...unknown, updated_at: started_at ?? created_at };
}

/** Null if the service did not answer. */
async function cancelAfterAbort(transport: Transport, jobId: string, options: WaitOptions): Promise<Job | null> {
  const { headers, maxRetries } = options;
  return await transport
    .request<Job>({ method: 'POST', path: jobPath(jobId, '/cancel') }, { headers, maxRetries })
    .catch(() => null);
}

/** Whether another attempt may succeed, so that the job is not lost. */
function isTemporary(error: KinoraError): boolean {
  const { status, retryAfterSeconds } = error;
  if (status === null) return error instanceof ConnectionError;
  const headers = new Headers(retryAfterSeconds === null ? {} : { 'retry-after': '1' });
  return retryDelaySeconds({ status, headers }, { attempt: 0, repeatable: true }) !== null;
}

export function jobPath(jobId: string, part = ''): string {
  return `/jobs/${segment(jobId)}${part}`;
}
