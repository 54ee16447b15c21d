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

/** An adapter and the backend that it talks to. */
export interface Subject {
  backend: FakeBackend;
  provider: ComputeProvider;
}

/** What the kit must know of an adapter to put it to the test. */
export interface ConformanceHarness {
  /** A fresh backend, and an instance that sends these headers to it. Called for each scenario; the kit closes both. */
  start(headers: Record<string, string>): Promise<Subject>;
  /** What a scenario's task names as its template, by operation, where the adapter needs one. */
  templates?: Partial<Record<'image.generation' | 'image.edit' | 'video.generation', string>>;
  /** What is asked for where a scenario does not care; images without an entry. */
  operation?: 'image.generation' | 'video.generation';
  /** Every word that the backend has for a status, also old and undocumented ones, and what it means. */
  statusWords: Record<string, UpstreamStatus['state']>;
  /** How the backend says that it is full; without an entry it does so with 429 and with 503. */
  refusals?: number[];
  /** How the backend says that it does not take a request; without an entry with 400 and with 422. */
  rejections?: number[];
  /** Requests that a look at 500 tasks may take. */
  requestsFor500: number;
  /** What the fresh backend works on, as an adapter with `readCapacity` reads it; without an entry the adapter has none. */
  capacity?: InstanceCapacity;
  /** Lets the backend park what waits or runs, where backends of this type can. */
  park?: (subject: Subject) => void;
  /** A callback about some task as the backend signs it, and such as it would never send: unsigned, altered, of old. */
  callbacks?: (subject: Subject) => Promise<{ genuine: CallbackRequest; forged: Record<string, CallbackRequest> }>;
  /** Choices that have nothing to steer in the kit's template of an operation, each with the reason. */
  steersNothing?: Partial<Record<ProviderTask['operation'], Partial<Record<TaskChoice, string>>>>;
  /** The scenarios that this backend cannot get into, each with the reason, in a whole sentence. */
  cannot: Partial<Record<ScenarioId, string>>;
}
