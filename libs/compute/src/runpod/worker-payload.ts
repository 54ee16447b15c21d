import type { ProviderFailure, ProviderTask, SeededOutputs, TaskFacts } from '../compute-provider.port';

/** What a kind of worker behind an endpoint takes and gives; everything around it is RunPod's own. */
export interface WorkerPayload {
  readonly templateNames: ReadonlySet<string>;
  /** Null, or why the worker cannot run the task exactly as it is. */
  findUnsupported(task: TaskFacts): string | null;
  seededOutputs(task: TaskFacts): SeededOutputs;
  /** The job's `input`; null for a task that an obstacle stands in the way of. */
  toInput(task: ProviderTask): object | null;
  /** What the `output` of a completed job holds. `files` is how many were asked for. */
  readOutput(output: unknown, files: number): WorkerResult;
}

/** Each file is an address, a data URI or bare base64. */
export type WorkerResult = { files: string[] } | { failure: ProviderFailure };
