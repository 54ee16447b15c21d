import type { JsonObject } from './instance-definition';

/** One job's work, as a backend receives it. */
export type ProviderTask = ImageTask | VideoTask;

interface AnyTask {
  /** Unique for the attempt; backends that accept an id from the client get this one, or one derived from it. */
  id: string;
  /** The catalog's id of the model. */
  model: string;
  /** The template in the catalog's route for the instance: a graph, an upstream model, a version. */
  template?: string;
  /** Unchanged from the client; empty where the client sent none. */
  prompt: string;
  /** The client's negative prompt, followed by the age-safety terms. */
  negativePrompt: string;
  width: number;
  height: number;
  seed: number;
  loras: TaskLora[];
  /** Upright, without metadata, re-encoded. */
  images: Buffer[];
  /** The URL for the backend's callbacks; unguessable, made for this attempt. Absent without a public address. */
  callbackUrl?: string;
}

export interface TaskLora {
  /** The id in the catalog. */
  id?: string;
  /** From the client or the catalog. `low_url` is for models with a low-noise expert. */
  url?: string;
  low_url?: string;
  strength: number;
  /** File names in the folder that the instance shares with jobs, if it has one: checked files, named by their content. */
  file?: string;
  low_file?: string;
}

export interface ImageTask extends AnyTask {
  operation: 'image.generation' | 'image.edit';
  n: number;
  steps?: number;
  guidance?: number;
}

/** Animates its one image. */
export interface VideoTask extends AnyTask {
  operation: 'video.generation';
  durationSeconds: number;
  fps: number;
}

/** The fields that jobs sets itself; all others are choices of the client. */
type SetByCore = 'id' | 'operation' | 'model' | 'template' | 'callbackUrl';

/** The parts of a task that a client chooses, itself or by its model. */
export type TaskChoice = Exclude<keyof ImageTask | keyof VideoTask, SetByCore>;

/**
 * `always`: every request of the adapter has it. `or_refused`: only where the server, its settings or the template has a place
 * for it; otherwise `findUnsupported` refuses the task before it is sent. `if_placed`: only where the template has a place for
 * it; otherwise the model decides, and no task is refused.
 */
export type ChoiceSupport = 'always' | 'or_refused' | 'if_placed';

/** How an adapter handles each choice. A missing choice does not compile, and the conformance kit tests each of them. */
export type SupportedChoices = Readonly<Record<TaskChoice, ChoiceSupport>>;

/** The parts of a task that are available before its images are read. */
export type TaskFacts = (Omit<ImageTask, 'images'> | Omit<VideoTask, 'images'>) & { imageCount: number };

/** A submitted task. */
export interface UpstreamTask {
  /** The id of the ProviderTask. */
  id: string;
  /** The reference from the submission's answer; null where the answer was lost, or has only ids that Kinora chose. */
  ref: JsonObject | null;
}

/** Why a backend did not complete a task. Jobs decides what follows. */
export type FailureKind =
  /** No capacity: may be retried, here or elsewhere. */
  | 'capacity'
  /** The backend refuses the request that the template makes: the operator must fix the template. */
  | 'invalid_input'
  /** A content filter of the backend. Never retried elsewhere, and no strike. */
  | 'content_rejected'
  | 'timeout'
  /** A failure of this worker or this moment (out of memory, a crash): may be retried elsewhere. */
  | 'transient'
  | 'fatal';

export interface ProviderFailure {
  kind: FailureKind;
  /** For the operator's log: never a prompt, a path, a URL or a secret. */
  reason: string;
}

/**
 * Fetches an output file. Throws ProviderUnreachable when the bytes are not available now, InvalidUpstreamOutput when they
 * never will be.
 */
export type FetchOutput = () => Promise<Buffer>;

/** A `reason` is for operators, like that of a ProviderFailure. */
export type SubmitOutcome =
  /** Accepted; the task waits or runs at the backend. */
  | { kind: 'accepted'; ref: JsonObject | null; isRunning: boolean; isParked?: boolean }
  /** Completed, by a backend that answers with the result itself. */
  | { kind: 'finished'; outputs: Buffer[]; gpuMs: number | null }
  /** Proven not accepted; may be retried, here or elsewhere. */
  | { kind: 'refused'; retryAfterMs: number | null; reason?: string }
  /** Proven not accepted, or accepted and failed. */
  | { kind: 'failed'; failure: ProviderFailure; gpuMs: number | null }
  /** Not known: the task must be looked up, and is never sent again without proof. */
  | { kind: 'unknown'; reason?: string };

export interface SubmitContext {
  /**
   * Aborts when the attempt is no longer wanted, or its lease was lost. A backend that works while the request is open stops
   * then.
   */
  signal: AbortSignal;
  /** Called by adapters whose submission lasts as long as the work, when the backend has begun. */
  onRunning: () => void;
}

/**
 * The status of a task. A missing or malformed answer is `unreachable`, which proves nothing; so is an unknown status.
 * `progress` is 0 to 1, only where the backend reports it, and never derived from a clock.
 */
export type UpstreamStatus =
  | { state: 'unreachable' }
  /**
   * `isParked`: the task uses no resources of the instance now, and therefore none of its slots. `queuedAhead`: how many tasks
   * are before it in the backend's own queue. Both, and `progress`, only as the backend reports them.
   */
  | { state: 'queued' | 'running'; isParked?: boolean; progress?: number; queuedAhead?: number }
  /** The backend answers that it has no such task. What that proves depends on its `hosting`. */
  | { state: 'not_found' }
  /** One entry for each output, in order. */
  | { state: 'succeeded'; outputs: FetchOutput[]; gpuMs: number | null; progress?: number }
  | { state: 'failed'; failure: ProviderFailure; gpuMs: number | null }
  | { state: 'canceled'; gpuMs: number | null };

/** How many tasks a server processes, as it reports. */
export interface InstanceCapacity {
  /** Tasks of Kinora that it processes at the same time. */
  concurrency: number;
  /** Whether the server time-slices its tasks, so that a task does not wait for the end of earlier ones. */
  interleaves: boolean;
}

export type SeededOutputs = 'each' | 'first';

/** Whether a cancel has stopped the work at the backend. */
export type CancelOutcome = 'stopped' | 'too_late' | 'unknown';

export interface ProbeReport {
  state: 'up' | 'degraded' | 'down';
  version?: string;
  freeSlots?: number;
  /** What the operator should fix, in whole sentences. */
  problems: string[];
  /** For each template that cannot run because of some of them, these, as clauses. */
  templateProblems?: ReadonlyMap<string, string[]>;
}

/** A request of a backend to a callback URL, unchanged. */
export interface CallbackRequest {
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * A compute backend: one configured instance. An adapter translates, and does not handle money, retries, deadlines or routes.
 * No method throws because of the backend's behaviour; each is bounded in time and in the size of its answers.
 */
export interface ComputeProvider {
  /** The id of the instance: `sandbox`, `gpu-a`. */
  readonly id: string;
  /** The maximum of open tasks over all processes; fewer where `readCapacity` reports fewer. */
  readonly concurrency: number;
  /** Whether the outputs come from a trained model or from plain code; every output file is marked with it. */
  readonly provenance: 'trainedAlgorithmicMedia' | 'algorithmicMedia';
  /** `own`: a task that the backend does not find is proven lost, and running it again costs nothing. `paid`: neither holds. */
  readonly hosting: 'own' | 'paid';
  /** Whether a change of the model takes time, so that jobs of one model should run in sequence. */
  readonly reloadsModels?: boolean;
  /**
   * How long results can be fetched; at a paid backend, a task that is not found is given up only after this time. Null
   * without a limit.
   */
  readonly resultTtlMs: number | null;
  /** Whether LoRAs by URL can only be loaded from the folder that the instance shares with jobs. */
  readonly needsLoraFiles?: boolean;
  /** The templates that a route may name. Absent where a route names none, or where only the backend knows the names. */
  readonly templateNames?: ReadonlySet<string>;

  /** For each choice of a client, whether it always reaches the backend or may be refused. */
  readonly supports: SupportedChoices;

  /** Null, or why the instance cannot run this task exactly; such a task is never sent there. */
  findUnsupported(task: TaskFacts): string | null;
  /**
   * Which outputs `seed + i` reproduces: each one, or only the first, where one seed draws a whole batch. The other outputs
   * have no seed.
   */
  seededOutputs(task: TaskFacts): SeededOutputs;
  submit(task: ProviderTask, context: SubmitContext): Promise<SubmitOutcome>;
  /** One entry for each task, by its id; one request for all where the backend supports it. Without side effects. */
  statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>>;
  /**
   * Stops the work. The record of the task at the backend, such as its duration, is kept. Idempotent, also for tasks that are
   * over.
   */
  cancel(task: UpstreamTask): Promise<CancelOutcome>;
  /** Deletes the record of a finished task at the backend, which is no longer needed. Idempotent; never throws. */
  forget?(task: UpstreamTask): Promise<void>;
  /**
   * Null where the server does not report it. Cheap and without side effects; absent where servers of this type never report
   * it.
   * @throws ProviderUnreachable
   */
  readCapacity?(): Promise<InstanceCapacity | null>;
  /**
   * Null, or why the instance cannot load a file of the folder that it shares with jobs. Absent where the server does not list
   * its files.
   * @throws ProviderUnreachable
   */
  findSharedFileProblem?(file: string): Promise<string | null>;
  /** Without side effects and costs. `templates` are those in the catalog's routes to the instance. */
  probe(templates?: readonly string[]): Promise<ProbeReport>;
  /** Authenticates a callback. Its content is only a hint: the task is polled afterwards. */
  verifyCallback?(request: CallbackRequest): Promise<boolean>;
  /**
   * The reference in a verified callback, for a task whose submission's answer was lost. Null where the callback is not proven
   * to be the backend's.
   */
  refOfCallback?(request: CallbackRequest): JsonObject | null;
  /** Calls the listener with tasks that may have begun or ended. A hint may be missing, and the task is polled afterwards. */
  onHint?(listener: (taskId: string) => void): void;
  close(): Promise<void>;
}

/** A backend did not answer, or its answer has an unknown format; the state is unknown. */
export class ProviderUnreachable extends Error {}

/** An output can never be fetched: it is too large, no longer there, or at an address that must not be fetched. */
export class InvalidUpstreamOutput extends Error {}
