import { BackendClient, NoAnswer, outcomeOfSilence, parseJson } from '../backend-client';
import {
  type CancelOutcome,
  type ComputeProvider,
  type FetchOutput,
  InvalidUpstreamOutput,
  type ProbeReport,
  type ProviderTask,
  ProviderUnreachable,
  type SubmitContext,
  type SubmitOutcome,
  type UpstreamStatus,
  type UpstreamTask,
} from '../compute-provider.port';
import type { InstanceSettings } from '../provider-type';
import { toSandboxBody, toStatuses, toSubmitOutcome } from './sandbox-task';

const IDS_A_REQUEST = 200;
const CONTROL_TIMEOUT_MS = 5_000;
/** Three images of 10 MiB in base64 take a while on a busy machine. */
const TRANSFER_TIMEOUT_MS = 20_000;
/** A raw picture of the largest size is smaller; what is larger is no output, and must not fill the memory. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Speaks the protocol of apps/sandbox, which is also the protocol for a worker of one's own. */
export class SandboxProvider implements ComputeProvider {
  readonly id: string;
  readonly concurrency: number;
  readonly provenance = 'algorithmicMedia';
  readonly hosting = 'own';
  readonly resultTtlMs = null;
  private readonly backend: BackendClient;

  constructor(instance: InstanceSettings) {
    this.id = instance.id;
    this.concurrency = instance.concurrency;
    this.backend = new BackendClient(instance);
  }

  findObstacle(): null {
    return null;
  }

  async submit(task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    try {
      const answer = await this.backend.send({
        method: 'PUT',
        path: `/v1/tasks/${task.id}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(toSandboxBody(task)),
        timeoutMs: TRANSFER_TIMEOUT_MS,
        signal,
      });
      return toSubmitOutcome(answer);
    } catch (error) {
      return outcomeOfSilence(error);
    }
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
    try {
      const answer = await this.backend.send({
        method: 'DELETE',
        path: `/v1/tasks/${id}`,
        timeoutMs: CONTROL_TIMEOUT_MS,
      });
      const { stopped } = (parseJson(answer.body) ?? {}) as { stopped?: unknown };
      return answer.status === 200 && stopped === true ? 'stopped' : 'too_late';
    } catch {
      return 'unknown';
    }
  }

  async probe(): Promise<ProbeReport> {
    return (await this.list([])) === undefined
      ? { state: 'down', problems: ['The sandbox does not answer as one.'] }
      : { state: 'up', problems: [] };
  }

  async close(): Promise<void> {
    await this.backend.close();
  }

  private readonly fetchOutput =
    (id: string, index: number): FetchOutput =>
    async () => {
      const path = `/v1/tasks/${id}/outputs/${index}`;
      const request = { method: 'GET', path, timeoutMs: TRANSFER_TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES } as const;
      const answer = await this.backend.send(request).catch((error: unknown) => {
        const isTooLong = error instanceof NoAnswer && error.reason === 'too_long';
        if (isTooLong) throw new InvalidUpstreamOutput('An output of the sandbox has no end.', { cause: error });
        throw new ProviderUnreachable('The sandbox did not hand over an output.', { cause: error });
      });
      // A worker that has restarted has forgotten the task as well, which the next look proves.
      if (answer.status !== 200) throw new ProviderUnreachable('The sandbox has no such output.');
      return answer.body;
    };

  /** Undefined when there was no usable answer. */
  private async list(ids: string[]): Promise<unknown> {
    try {
      const path = `/v1/tasks?ids=${ids.join(',')}`;
      const answer = await this.backend.send({ method: 'GET', path, timeoutMs: CONTROL_TIMEOUT_MS });
      return answer.status === 200 ? parseJson(answer.body) : undefined;
    } catch {
      return undefined;
    }
  }
}
