import type {
  ProviderFailure,
  ProviderTask,
  SeededOutputs,
  SupportedChoices,
  TaskFacts,
} from '../compute-provider.port';

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
