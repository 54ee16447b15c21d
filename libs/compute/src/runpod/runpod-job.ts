import type {
  FetchOutput,
  ProviderFailure,
  ProviderTask,
  SeededOutputs,
  SupportedChoices,
  TaskFacts,
  UpstreamStatus,
} from '../compute-provider.port';
import { failureKindOf } from '../http/failure-words';
import { asGpuMs, asUpstreamId, isRecord } from '../http/json-answer';

/** The input and output format of a kind of worker; the rest of the protocol is RunPod's. */
export interface WorkerPayload {
  readonly templateNames: ReadonlySet<string>;
  readonly supports: SupportedChoices;
  /** Null, or why the worker cannot run the task exactly. */
  findUnsupported(task: TaskFacts): string | null;
  seededOutputs(task: TaskFacts): SeededOutputs;
  /** The job's `input`; null for an unsupported task. */
  toInput(task: ProviderTask): object | null;
  /** The result in the `output` of a completed job. `files` is the requested number. */
  readOutput(output: unknown, files: number): WorkerResult;
}

/** Each file is an address, a data URI or bare base64. */
export type WorkerResult = { files: string[] } | { failure: ProviderFailure };

/** The fields of a job that the adapter uses, from answers and callbacks. */
export interface RunpodJob {
  id: string;
  status: string;
  executionMs: number | null;
  output: unknown;
  error: unknown;
}

/** Null for an answer of unknown format. */
export function asRunpodJob(answer: unknown): RunpodJob | null {
  if (!isRecord(answer)) return null;
  const id = asUpstreamId(answer['id']);
  if (id === null) return null;
  const { status, executionTime, output, error } = answer;
  return {
    id,
    status: typeof status === 'string' ? status : '',
    executionMs: asGpuMs(executionTime, 1),
    output,
    error,
  };
}

export interface ResultReader {
  payload: WorkerPayload;
  files: number;
  fetchOutput: (file: string) => FetchOutput;
}

export function toStatus(job: RunpodJob, reader: ResultReader): UpstreamStatus {
  const gpuMs = job.executionMs;
  switch (job.status) {
    case 'IN_QUEUE':
      return { state: 'queued' };
    case 'IN_PROGRESS':
    // A page of RunPod's documentation has this spelling.
    case 'RUNNING':
      return { state: 'running' };
    case 'COMPLETED':
      return toCompleted(job, reader);
    case 'FAILED':
      return { state: 'failed', failure: toFailure(job.error ?? job.output), gpuMs };
    case 'TIMED_OUT':
      return { state: 'failed', failure: { kind: 'timeout', reason: 'the job expired or took too long' }, gpuMs };
    case 'CANCELLED':
      return { state: 'canceled', gpuMs };
    default:
      return { state: 'unreachable' };
  }
}

/** Nothing is left to stop. */
export function isOver({ status }: RunpodJob): boolean {
  return ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'].includes(status);
}

/** Messages of worker-comfyui about a graph, and of RunPod's own input validation. */
const OF_A_CHECK = /validation (failed|error)|invalid workflow|not in list|is a required input/i;

/** Workers return their exception: text with a stack, or an object. Only its kind is passed on. */
export function toFailure(error: unknown): ProviderFailure {
  const words = typeof error === 'string' ? error : JSON.stringify(error ?? null);
  const kind = failureKindOf(words);
  if (kind !== null) return { kind, reason: 'the worker failed' };
  return OF_A_CHECK.test(words)
    ? { kind: 'invalid_input', reason: 'the worker refused the input' }
    : { kind: 'transient', reason: 'the worker failed' };
}

function toCompleted(
  { output, executionMs }: RunpodJob,
  { payload, files, fetchOutput }: ResultReader,
): UpstreamStatus {
  const result = payload.readOutput(output, files);
  return 'failure' in result
    ? { state: 'failed', failure: result.failure, gpuMs: executionMs }
    : { state: 'succeeded', outputs: result.files.map(fetchOutput), gpuMs: executionMs };
}

/** Excludes workers that have stopped for good, or that RunPod does not start. */
const AT_WORK_SOON = ['idle', 'running', 'initializing'];

/** The number of workers in the answer of `GET /health`; null for an unknown format. */
export function countWorkers(answer: unknown): number | null {
  const workers = isRecord(answer) && isRecord(answer['workers']) ? answer['workers'] : null;
  const counts = AT_WORK_SOON.map((word) => workers?.[word]).filter((count) => Number.isSafeInteger(count));
  return counts.length === 0 ? null : counts.reduce<number>((sum, count) => sum + Math.max(0, Number(count)), 0);
}
