import type { FetchOutput, ProviderFailure, UpstreamStatus } from '../compute-provider.port';
import { failureKindOf } from '../http/failure-words';
import { asGpuMs, asUpstreamId, isRecord } from '../http/json-answer';
import type { WorkerPayload } from './worker-payload';

/** What RunPod says of a job, in answers and in callbacks alike, as far as it is believed. */
export interface RunpodJob {
  id: string;
  status: string;
  executionMs: number | null;
  output: unknown;
  error: unknown;
}

/** Null for an answer that is not in RunPod's language. */
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
  /** How many files the task is to have. */
  files: number;
  fetchOutput: (file: string) => FetchOutput;
}

export function toStatus(job: RunpodJob, reader: ResultReader): UpstreamStatus {
  const gpuMs = job.executionMs;
  switch (job.status) {
    case 'IN_QUEUE':
      return { state: 'queued' };
    case 'IN_PROGRESS':
    // One page of the documentation calls it so.
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

/** Nothing is left to be stopped. */
export function isOver({ status }: RunpodJob): boolean {
  return ['COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'].includes(status);
}

/** What worker-comfyui says of a graph, and RunPod's own check of an input, that the worker cannot take. */
const OF_A_CHECK = /validation (failed|error)|invalid workflow|not in list|is a required input/i;

/** Workers throw whatever their code threw: text with a stack, or an object. Only its kind is told on. */
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
