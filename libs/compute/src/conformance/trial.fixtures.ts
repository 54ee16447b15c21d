import { ManualClock, createTestLog, waitFor } from '@kinora/testing';
import { v7 as uuidv7 } from 'uuid';
import { IMAGE } from './files.fixtures';
import { withAgeSafetyTerms } from '../instance-definition';
import type {
  ComputeProvider,
  FetchOutput,
  ImageTask,
  ProviderTask,
  SubmitOutcome,
  UpstreamStatus,
  UpstreamTask,
  VideoTask,
} from '../compute-provider.port';
import type { ConformanceHarness, Subject } from './conformance-harness.fixtures';
import type { FakeBackend } from './fake-backend.fixtures';
import { Egress, EgressAllowList } from '@kinora/egress';
import type { ProviderServices } from '../provider-type';

/** The value of a header that every instance under test has: it may only be sent to its backend. */
export const SECRET = 'conformance-secret';
export const SECRET_HEADER = 'x-conformance-key';

/** A submission, answered or not. */
export interface Sent {
  task: ProviderTask;
  outcome: Promise<SubmitOutcome>;
}

/** One run of a scenario: an instance, its backend, and the actions of jobs on them. */
export class Trial {
  readonly backend: FakeBackend;
  readonly provider: ComputeProvider;

  constructor(
    readonly harness: ConformanceHarness,
    readonly subject: Subject,
  ) {
    this.backend = subject.backend;
    this.provider = subject.provider;
  }

  /** A task of the harness's operation. */
  anyTask(): ProviderTask {
    return this.harness.operation === 'video.generation' ? this.videoTask(IMAGE) : this.imageTask();
  }

  imageTask(parts: Partial<ImageTask> = {}): ImageTask {
    return { ...this.taskOf('image.generation'), operation: 'image.generation', n: 1, ...parts };
  }

  editTask(images: Buffer[]): ImageTask {
    return { ...this.taskOf('image.edit'), operation: 'image.edit', n: 1, images };
  }

  videoTask(image: Buffer): VideoTask {
    const length = { durationSeconds: 5, fps: 8 };
    return { ...this.taskOf('video.generation'), operation: 'video.generation', ...length, images: [image] };
  }

  /** Submits, and waits until the backend has accepted the work: some backends answer only when the work is done. */
  async send(task: ProviderTask = this.anyTask(), signal = new AbortController().signal): Promise<Sent> {
    const before = this.backend.received.length;
    const sent = this.begin(task, signal);
    let isAnswered = false;
    void sent.outcome.finally(() => {
      isAnswered = true;
    });
    await waitFor(() => isAnswered || this.backend.received.length > before);
    return sent;
  }

  /** Submits without waiting. */
  begin(task: ProviderTask, signal = new AbortController().signal): Sent {
    return { task, outcome: this.provider.submit(task, { signal, onRunning: () => undefined }) };
  }

  /** Submits where the answer is due immediately. */
  async submit(task: ProviderTask = this.anyTask()): Promise<SubmitOutcome> {
    return await (
      await this.send(task)
    ).outcome;
  }

  /** The status of the task by one poll; where the submission returned the end, in the form of a poll. */
  async poll(sent: Sent): Promise<UpstreamStatus> {
    const outcome = await sent.outcome;
    if (outcome.kind === 'finished') return toSucceeded(outcome.outputs, outcome.gpuMs);
    if (outcome.kind === 'failed') return { state: 'failed', failure: outcome.failure, gpuMs: outcome.gpuMs };
    const upstream = { id: sent.task.id, ref: outcome.kind === 'accepted' ? outcome.ref : null };
    return await this.statusOf(upstream);
  }

  /** Like `poll`, repeated until the task is over or proven lost. */
  async end(sent: Sent): Promise<UpstreamStatus> {
    return await waitFor(async () => {
      const status = await this.poll(sent);
      return ['queued', 'running', 'unreachable'].includes(status.state) ? null : status;
    });
  }

  async upstream(sent: Sent): Promise<UpstreamTask> {
    const outcome = await sent.outcome;
    return { id: sent.task.id, ref: outcome.kind === 'accepted' ? outcome.ref : null };
  }

  async statusOf(upstream: UpstreamTask): Promise<UpstreamStatus> {
    return (await this.provider.statuses([upstream])).get(upstream.id) ?? { state: 'unreachable' };
  }

  async outputs(sent: Sent): Promise<FetchOutput[]> {
    const status = await this.end(sent);
    if (status.state !== 'succeeded') throw new Error(`Ended as ${JSON.stringify(status)}`);
    return status.outputs;
  }

  private taskOf(operation: ProviderTask['operation']): Omit<ProviderTask, 'operation' | 'n' | 'durationSeconds'> {
    const template = this.harness.templates?.[operation];
    return {
      id: `${uuidv7()}-1`,
      model: 'conformance-model',
      ...(template === undefined ? {} : { template }),
      prompt: 'a calm sea',
      negativePrompt: withAgeSafetyTerms('fog'),
      width: 128,
      height: 100,
      seed: 7,
      loras: [],
      images: [],
    };
  }
}

function toSucceeded(outputs: Buffer[], gpuMs: number | null): UpstreamStatus {
  return { state: 'succeeded', outputs: outputs.map((bytes) => () => Promise.resolve(bytes)), gpuMs };
}

/** What every adapter must do. */
export interface Scenario {
  /** The second half of a test's title: what the adapter does. */
  title: string;
  /** Runs the scenario; a failed expectation throws. */
  run: (trial: Trial) => Promise<void>;
}

/** The services that the process gives adapters, with egress that may reach the fakes on this machine. */
export function providerServices(templatesDir: string | null = null): ProviderServices & { clock: ManualClock } {
  const egress = new Egress({ allow: EgressAllowList.parse('127.0.0.0/8') });
  return { egress, logger: createTestLog().logger, clock: new ManualClock(true), templatesDir };
}
