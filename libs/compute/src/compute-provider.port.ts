import type { JsonObject } from './json';

/** One job's work as a backend gets it. */
export type ProviderTask = ImageTask | VideoTask;

interface AnyTask {
  /** Ours, and unique for the attempt; backends that let us choose an id get this one, or one derived from it. */
  id: string;
  /** The catalog's id of the model. */
  model: string;
  /** What the catalog's route names for the instance: a graph, an upstream model, a version. */
  template?: string;
  /** Byte-equal to what the client sent; empty where it sent none. */
  prompt: string;
  /** The client's, followed by the age-safety terms. */
  negativePrompt: string;
  width: number;
  height: number;
  seed: number;
  loras: TaskLora[];
  /** Upright, without metadata, re-encoded. */
  images: Buffer[];
  /** Where the backend may tell that something has happened; unguessable, made for this attempt. Absent without a public address. */
  callbackUrl?: string;
}

export interface TaskLora {
  /** Of the catalog. */
  id?: string;
  /** Of the client, or of the catalog. The second is for models with an expert for low noise. */
  url?: string;
  low_url?: string;
  strength: number;
  /** Names in the folder that the instance shares with us, where it has one: checked files, named by their content. */
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

/** What the core sets, so that no choice of a client is lost with it. */
type SetByCore = 'id' | 'operation' | 'model' | 'template' | 'callbackUrl';

/** What a client chooses of a task, itself or by the model that it names. */
export type TaskChoice = Exclude<keyof ImageTask | keyof VideoTask, SetByCore>;

/**
 * `always`: every request of the adapter has it. `or_refused`: only where the server, its settings or the template has a
 * place for it; otherwise `findUnsupported` refuses the task before it is sent.
 */
export type ChoiceSupport = 'always' | 'or_refused';

/** What an adapter does with each choice. One that is missing here does not compile; the conformance kit tries each of them. */
export type SupportedChoices = Readonly<Record<TaskChoice, ChoiceSupport>>;

/** What is known of a task before its images are read. */
export type TaskFacts = (Omit<ImageTask, 'images'> | Omit<VideoTask, 'images'>) & { imageCount: number };

/** A task as its backend knows it. */
export interface UpstreamTask {
  /** The id of the ProviderTask. */
  id: string;
  /** What the submission's answer told; null where it was lost, or tells nothing that we did not choose ourselves. */
  ref: JsonObject | null;
}

/** Why a backend did not make what was asked. The core decides what follows. */
export type FailureKind =
  /** No room: may be tried again, here or elsewhere. */
  | 'capacity'
  /** The backend does not take what our template made of the request: the operator's to mend. */
  | 'invalid_input'
  /** A filter of the backend's own. Never tried elsewhere, and no strike. */
  | 'content_rejected'
  | 'timeout'
  /** Of this worker or this moment (out of memory, a crash): may be tried again elsewhere. */
  | 'transient'
  | 'fatal';

export interface ProviderFailure {
  kind: FailureKind;
  /** For the operator's log: never a prompt, a path, a URL or a secret. */
  reason: string;
}

/** Gets a file that a backend made. Throws ProviderUnreachable when the bytes cannot be had now, InvalidUpstreamOutput when they never can. */
export type FetchOutput = () => Promise<Buffer>;

/** A `reason` is for operators, as that of a ProviderFailure. */
export type SubmitOutcome =
  /** Taken; it waits or runs there. */
  | { kind: 'accepted'; ref: JsonObject | null; isRunning: boolean; isParked?: boolean }
  /** Taken and done, by a backend that answers with the result itself. */
  | { kind: 'finished'; outputs: Buffer[]; gpuMs: number | null }
  /** Proven not taken; may be tried again, here or elsewhere. */
  | { kind: 'refused'; retryAfterMs: number | null; reason?: string }
  /** Proven not taken, or taken and failed. */
  | { kind: 'failed'; failure: ProviderFailure; gpuMs: number | null }
  /** Nobody can say: it must be looked up, and is never simply sent again. */
  | { kind: 'unknown'; reason?: string };

export interface SubmitContext {
  /** Aborts when the attempt is no longer wanted or no longer ours. A backend that works while the request is open stops then. */
  signal: AbortSignal;
  /** To be called when the backend has begun, by adapters whose submission lasts as long as the work. */
  onRunning: () => void;
}

/** How a task stands. A missing or strange answer is `unreachable`, which proves nothing; so is an unknown word of a status. */
export type UpstreamStatus =
  | { state: 'unreachable' }
  /** `isParked`: it uses nothing of the instance now, and so takes none of its places. */
  | { state: 'queued' | 'running'; isParked?: boolean }
  /** The backend says that it holds no such task. What that proves depends on its `hosting`. */
  | { state: 'not_found' }
  /** One entry an output, in order. */
  | { state: 'succeeded'; outputs: FetchOutput[]; gpuMs: number | null }
  | { state: 'failed'; failure: ProviderFailure; gpuMs: number | null }
  | { state: 'canceled'; gpuMs: number | null };

/** How much a server works on, in its own words. */
export interface InstanceCapacity {
  /** Tasks of ours that it works on at the same time. */
  concurrency: number;
  /** Whether tasks take turns there piece by piece, so that one does not wait for the end of those before it. */
  interleaves: boolean;
}

export type SeededOutputs = 'each' | 'first';

/** Whether a cancel has freed the backend. */
export type CancelOutcome = 'stopped' | 'too_late' | 'unknown';

export interface ProbeReport {
  state: 'up' | 'degraded' | 'down';
  version?: string;
  freeSlots?: number;
  /** What an operator should mend, in whole sentences. */
  problems: string[];
}

/** A request of a backend to a callback URL, as it came. */
export interface CallbackRequest {
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * A compute backend: one configured instance. An adapter translates and knows nothing of money, retries, deadlines or
 * routes. No method throws for what the backend does; each is bounded in time and in the size of what it reads.
 */
export interface ComputeProvider {
  /** Of the instance: `sandbox`, `gpu-a`. */
  readonly id: string;
  /** Tasks that may be under way at once over all processes, at most: fewer where `readCapacity` says so. */
  readonly concurrency: number;
  /** Whether what it makes comes from a trained model or from plain code; it is marked in every file. */
  readonly provenance: 'trainedAlgorithmicMedia' | 'algorithmicMedia';
  /** `own`: a task that it does not know is proven lost, and running it again costs nobody money. `paid`: neither. */
  readonly hosting: 'own' | 'paid';
  /** Whether a change of the model costs it time, so that jobs of one model had better stay together. */
  readonly reloadsModels?: boolean;
  /** How long results can be fetched; of a paid backend, a task not found is only then given up. Null without such a limit. */
  readonly resultTtlMs: number | null;
  /** The templates of which each route must name one. Absent where a route names nothing, or what only the backend knows. */
  readonly templateNames?: ReadonlySet<string>;

  /** What becomes of each choice of a client: it reaches the backend, or the task is refused. */
  readonly supports: SupportedChoices;

  /** Null, or why the instance cannot run this task exactly as it is: such a task is never sent there. */
  findUnsupported(task: TaskFacts): string | null;
  /**
   * Which outputs of a task `seed + i` makes again: each one, or only the first, where one seed draws a whole batch. The others
   * are shown without a seed.
   */
  seededOutputs(task: TaskFacts): SeededOutputs;
  submit(task: ProviderTask, context: SubmitContext): Promise<SubmitOutcome>;
  /** One entry for each task asked, by its id; one request for all where the backend allows it. Without side effects. */
  statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>>;
  /** Stops the work. What the backend tells of it, such as its time, is still there afterwards. May be called again, and for what is over. */
  cancel(task: UpstreamTask): Promise<CancelOutcome>;
  /** Lets the backend forget a task that is over, of which nothing more is asked. Harmless when repeated; never throws. */
  forget?(task: UpstreamTask): Promise<void>;
  /** Null where the server does not say. Cheap and harmless; absent where such servers never say. @throws ProviderUnreachable */
  readCapacity?(): Promise<InstanceCapacity | null>;
  /** Harmless: makes nothing and costs nothing. `templates` are those that routes of the catalog name for the instance. */
  probe(templates?: readonly string[]): Promise<ProbeReport>;
  /** Whether a callback is really the backend's. What it says is only a hint: the task is looked up afterwards. */
  verifyCallback?(request: CallbackRequest): Promise<boolean>;
  /** How a verified callback names its task, for one whose submission's answer was lost. Null where nothing proves that it is the backend's word. */
  refOfCallback?(request: CallbackRequest): JsonObject | null;
  /** Tells of tasks that may have begun or ended, as far as this process hears of it. Only a hint: the task is looked up afterwards. */
  onHint?(listener: (taskId: string) => void): void;
  close(): Promise<void>;
}

/** A backend did not answer, or not in its own language; nothing is known. */
export class ProviderUnreachable extends Error {}

/** What a backend holds out as its output is none: too large, no longer there, of an address that we may not fetch. */
export class InvalidUpstreamOutput extends Error {}
