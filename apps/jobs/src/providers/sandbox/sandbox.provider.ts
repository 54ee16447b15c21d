import { type Dispatcher, Pool } from 'undici';
import {
  type CancelOutcome,
  type ComputeProvider,
  type ProbeReport,
  type ProviderTask,
  ProviderUnreachable,
  type SubmitContext,
  type SubmitOutcome,
  type UpstreamStatus,
  type UpstreamTask,
} from '../compute-provider.port';
import { parseAnswer, toSandboxBody, toStatuses, toSubmitOutcome } from './sandbox-task';

const IDS_A_REQUEST = 200;
const CONTROL_TIMEOUT_MS = 5_000;
/** Three images of 10 MiB in base64 take a while on a busy machine. */
const TRANSFER_TIMEOUT_MS = 20_000;
/** A raw picture of the largest size is smaller; what is larger is no answer, and must not fill the memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Failures of which the operating system says that no byte of the request has arrived. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Speaks the protocol of apps/sandbox, which is also the protocol for a worker of one's own. */
export class SandboxProvider implements ComputeProvider {
  readonly id = 'sandbox';
  readonly provenance = 'algorithmicMedia';
  readonly hosting = 'own';
  readonly resultTtlMs = null;
  readonly concurrency: number;
  private readonly pool: Pool;

  constructor({ url, concurrency }: { url: string; concurrency: number }) {
    this.concurrency = concurrency;
    this.pool = new Pool(url, { connections: 32, pipelining: 1, maxResponseSize: MAX_ANSWER_BYTES });
  }

  findObstacle(): null {
    return null;
  }

  async submit(task: ProviderTask, { signal }: SubmitContext): Promise<SubmitOutcome> {
    try {
      const response = await this.pool.request({
        method: 'PUT',
        path: `/v1/tasks/${task.id}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(toSandboxBody(task)),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TRANSFER_TIMEOUT_MS)]),
      });
      return toSubmitOutcome(response.statusCode, parseAnswer(await response.body.text()));
    } catch (error) {
      return NEVER_SENT.has((error as NodeJS.ErrnoException).code ?? '')
        ? { kind: 'refused', retryAfterMs: null }
        : { kind: 'unknown' };
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
      const request = { method: 'DELETE', path: `/v1/tasks/${id}` } as const;
      const response = await this.pool.request({ ...request, signal: AbortSignal.timeout(CONTROL_TIMEOUT_MS) });
      const { stopped } = (parseAnswer(await response.body.text()) ?? {}) as { stopped?: unknown };
      return response.statusCode === 200 && stopped === true ? 'stopped' : 'too_late';
    } catch {
      return 'unknown';
    }
  }

  async probe(): Promise<ProbeReport> {
    return (await this.list([])) === undefined
      ? { state: 'down', problems: ['The sandbox does not answer.'] }
      : { state: 'up', problems: [] };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private readonly fetchOutput = (id: string, index: number) => async (): Promise<Buffer> => {
    let response: Dispatcher.ResponseData;
    try {
      response = await this.get(`/v1/tasks/${id}/outputs/${index}`, TRANSFER_TIMEOUT_MS);
      if (response.statusCode === 200) return Buffer.from(await response.body.arrayBuffer());
      await response.body.dump();
    } catch (error) {
      throw new ProviderUnreachable('The sandbox did not hand over an output.', { cause: error });
    }
    throw new ProviderUnreachable('The sandbox has no such output.');
  };

  /** Undefined when there was no usable answer. */
  private async list(ids: string[]): Promise<unknown> {
    try {
      const response = await this.get(`/v1/tasks?ids=${ids.join(',')}`, CONTROL_TIMEOUT_MS);
      const answer = parseAnswer(await response.body.text());
      return response.statusCode === 200 ? answer : undefined;
    } catch {
      return undefined;
    }
  }

  private get(path: string, timeoutMs: number): Promise<Dispatcher.ResponseData> {
    return this.pool.request({ method: 'GET', path, signal: AbortSignal.timeout(timeoutMs) });
  }
}
