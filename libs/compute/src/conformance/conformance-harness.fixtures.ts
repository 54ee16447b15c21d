import type {
  CallbackRequest,
  ComputeProvider,
  ProviderTask,
  InstanceCapacity,
  UpstreamStatus,
  TaskChoice,
} from '../compute-provider.port';
import type { FakeBackend } from './fake-backend.fixtures';
import type { ScenarioId } from './scenario-id.fixtures';

/** An adapter and its fake backend. */
export interface Subject {
  backend: FakeBackend;
  provider: ComputeProvider;
}

/** The facts about an adapter that the kit needs to test it. */
export interface ConformanceHarness {
  /** A fresh backend, and an instance that sends these headers to it. Called for each scenario; the kit closes both. */
  start(headers: Record<string, string>): Promise<Subject>;
  /** The template of a scenario's task, by operation, where the adapter needs one. */
  templates?: Partial<Record<'image.generation' | 'image.edit' | 'video.generation', string>>;
  /** The operation of scenarios that can use any; image generation by default. */
  operation?: 'image.generation' | 'video.generation';
  /** Every status word of the backend, also old and undocumented ones, and its meaning. */
  statusWords: Record<string, UpstreamStatus['state']>;
  /** The statuses with which the backend refuses when it is full; 429 and 503 by default. */
  refusals?: number[];
  /** The statuses with which the backend rejects an invalid request; 400 and 422 by default. */
  rejections?: number[];
  /** The maximum of requests for polling 500 tasks. */
  requestsFor500: number;
  /** The capacity of the fresh backend, as `readCapacity` reports it; absent where the adapter has no `readCapacity`. */
  capacity?: InstanceCapacity;
  /** Parks the waiting or running tasks, where backends of this type can. */
  park?: (subject: Subject) => void;
  /** Lets the running tasks report this progress, 0 to 1, where backends of this type report it. */
  reportProgress?: (subject: Subject, progress: number) => void;
  /** A callback about some task as the backend signs it, and forged ones: unsigned, altered, too old. */
  callbacks?: (subject: Subject) => Promise<{ genuine: CallbackRequest; forged: Record<string, CallbackRequest> }>;
  /** Choices without an effect in the kit's template of an operation, each with the reason. */
  steersNothing?: Partial<Record<ProviderTask['operation'], Partial<Record<TaskChoice, string>>>>;
  /** The scenarios that do not apply to this backend, each with the reason, in a whole sentence. */
  cannot: Partial<Record<ScenarioId, string>>;
}
