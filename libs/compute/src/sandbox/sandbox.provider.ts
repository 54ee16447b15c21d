import type { Egress } from '@kinora/egress';
import {
  type CancelOutcome,
  type ComputeProvider,
  type FetchOutput,
  type InstanceCapacity,
  InvalidUpstreamOutput,
  type ProbeReport,
  type ProviderTask,
  ProviderUnreachable,
  type SeededOutputs,
  type SubmitContext,
  type SubmitOutcome,
  type SupportedChoices,
  type UpstreamStatus,
  type UpstreamTask,
} from '../compute-provider.port';
import { AnswerTooLong } from '../http/failure-words';
import { InstanceAdapter } from '../http/instance-adapter';
import { parseJson } from '../http/json-answer';
import type { InstanceSettings, ProviderType } from '../provider-type';
import { toCapacity, toSandboxBody, toStatuses, toSubmitOutcome } from './sandbox-task';

const IDS_A_REQUEST = 200;
/** Three images of 10 MiB in base64 take a while on a busy machine. */
const TRANSFER_TIMEOUT_MS = 20_000;
/** A raw image of the largest size is smaller; the bound protects the memory. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** The answer about 200 tasks is far smaller. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Submissions are answered immediately, so few connections are enough for all tasks of the instance. */
const SUBMISSIONS_AT_ONCE = 32;

/** The protocol has a field for each choice. */
const SUPPORTED: SupportedChoices = {
  prompt: 'always',
  negativePrompt: 'always',
  width: 'always',
  height: 'always',
  seed: 'always',
  loras: 'always',
  images: 'always',
  n: 'always',
  steps: 'always',
  guidance: 'always',
  durationSeconds: 'always',
  fps: 'always',
};

/** Uses the protocol of apps/sandbox, which operators' own workers may implement too. */
export class SandboxProvider extends InstanceAdapter implements ComputeProvider {
  readonly provenance = 'algorithmicMedia';
  readonly supports = SUPPORTED;
  readonly hosting = 'own';
  readonly resultTtlMs = null;

  constructor(instance: InstanceSettings, egress: Egress) {
    super(instance, egress, SUBMISSIONS_AT_ONCE);
  }

  findUnsupported(): null {
    return null;
  }

  /** The protocol guarantees it. */
  seededOutputs(): SeededOutputs {
    return 'each';
  }

  async submit(task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    const request = { method: 'PUT', to: `/v1/tasks/${task.id}`, json: toSandboxBody(task), signal } as const;
    const bounds = { timeoutMs: TRANSFER_TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES };
    return this.submitBy({ ...request, ...bounds }, toSubmitOutcome);
  }

  async statuses(tasks: UpstreamTask[]): Promise<Map<string, UpstreamStatus>> {
    const upstreamIds = tasks.map(({ id }) => id);
    const statuses = new Map<string, UpstreamStatus>();
    for (let start = 0; start < upstreamIds.length; start += IDS_A_REQUEST) {
      const ids = upstreamIds.slice(start, start + IDS_A_REQUEST);
      for (const [id, status] of toStatuses(ids, await this.list(ids), this.fetchOutput)) statuses.set(id, status);
    }
    return statuses;
  }

  async cancel({ id }: UpstreamTask): Promise<CancelOutcome> {
    const answer = await this.call('DELETE', `/v1/tasks/${id}`);
    if (answer === null) return 'unknown';
    const { stopped } = (parseJson(answer.body) ?? {}) as { stopped?: unknown };
    return answer.status === 200 && stopped === true ? 'stopped' : 'too_late';
  }

  async readCapacity(): Promise<InstanceCapacity | null> {
    const answer = await this.call('GET', '/v1/capabilities');
    if (answer === null) throw new ProviderUnreachable('The sandbox did not answer GET /v1/capabilities.');
    // An operator's own worker may lack this endpoint.
    if (answer.status >= 500) throw new ProviderUnreachable(`The sandbox answered ${answer.status}.`);
    return answer.status === 200 ? toCapacity(parseJson(answer.body)) : null;
  }

  async probe(): Promise<ProbeReport> {
    return (await this.list([])) === undefined
      ? { state: 'down', problems: ['The sandbox does not answer by the sandbox protocol.'] }
      : { state: 'up', problems: [] };
  }

  private readonly fetchOutput =
    (id: string, index: number): FetchOutput =>
    async () => {
      const to = `/v1/tasks/${id}/outputs/${index}`;
      const bounds = { timeoutMs: TRANSFER_TIMEOUT_MS, maxAnswerBytes: MAX_OUTPUT_BYTES };
      const answer = await this.connection.send({ method: 'GET', to, ...bounds }).catch((error: unknown) => {
        if (error instanceof AnswerTooLong) throw new InvalidUpstreamOutput('An output of the sandbox is too large.');
        throw new ProviderUnreachable('The sandbox did not return an output.', { cause: error });
      });
      // A restarted worker has also lost the task, which the next poll shows.
      if (answer.status !== 200) throw new ProviderUnreachable('The sandbox has no such output.');
      return answer.body;
    };

  /** Undefined when there was no usable answer. */
  private async list(ids: string[]): Promise<unknown> {
    const answer = await this.call('GET', `/v1/tasks?ids=${ids.join(',')}`);
    return answer?.status === 200 ? parseJson(answer.body) : undefined;
  }
}

/** The sandbox has no settings of its own. */
export class SandboxSettings {}

/** The sandbox, and every worker that serves its protocol. */
export const sandboxType: ProviderType<SandboxSettings> = {
  type: 'sandbox',
  settings: SandboxSettings,
  create: (instance, _settings, { egress }) => new SandboxProvider(instance, egress),
};
