import type { Egress } from '@kinora/egress';
import type { ProbeReport, SubmitOutcome } from '../compute-provider.port';
import type { InstanceSettings } from '../provider-type';
import type { HttpAnswer } from './bounded-exchange';
import { InstanceConnection, type InstanceRequest } from './instance-connection';
import { toUnansweredSubmit } from './submit-answer';

const CONTROL_TIMEOUT_MS = 5_000;
const MAX_CONTROL_BYTES = 4 * 1024 * 1024;

/** The part that the adapters of HTTP backends share: the instance, and short requests to it. */
export abstract class InstanceAdapter {
  readonly id: string;
  readonly concurrency: number;
  protected readonly connection: InstanceConnection;
  /** The bounds of requests that are no submissions. */
  protected readonly controlBounds = { timeoutMs: CONTROL_TIMEOUT_MS, maxAnswerBytes: MAX_CONTROL_BYTES };

  /** @param requestsAtOnce submissions that may be open together; by default as many as there are tasks. */
  constructor(instance: InstanceSettings, egress: Egress, requestsAtOnce = instance.concurrency) {
    this.id = instance.id;
    this.concurrency = instance.concurrency;
    this.connection = new InstanceConnection({ ...instance, concurrency: requestsAtOnce, egress });
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  /** Null without a whole answer. */
  protected call(method: InstanceRequest['method'], to: string): Promise<HttpAnswer | null> {
    return this.connection.send({ method, to, ...this.controlBounds }).catch(() => null);
  }

  /** Probes the instance by requests that a healthy one answers with 200; the first other answer is reported. */
  protected async probeBy(...paths: string[]): Promise<ProbeReport> {
    for (const path of paths) {
      const answer = await this.call('GET', path);
      if (answer === null) return { state: 'down', problems: ['The backend does not answer.'] };
      const problem = findStatusProblem(answer.status, path);
      if (problem !== null) return problem;
    }
    return { state: 'up', problems: [] };
  }

  protected async submitBy(
    request: InstanceRequest,
    toOutcome: (answer: HttpAnswer) => SubmitOutcome | Promise<SubmitOutcome>,
  ): Promise<SubmitOutcome> {
    try {
      return await toOutcome(await this.connection.send(request));
    } catch (error) {
      return toUnansweredSubmit(error);
    }
  }
}

/** The problem that the operator should fix, by the status of a probe request; null for 200. */
export function findStatusProblem(status: number, path: string): ProbeReport | null {
  if (status === 200) return null;
  if ([401, 402, 403].includes(status))
    return { state: 'down', problems: [`The backend refuses the instance's headers with ${status}: check its key.`] };
  if (status === 404)
    return { state: 'degraded', problems: [`The backend has no ${path}: check the instance's url and its type.`] };
  if (status === 429 || status === 503)
    return { state: 'degraded', problems: [`The backend is full or not ready: it answers ${path} with ${status}.`] };
  return { state: 'down', problems: [`The backend answers ${path} with ${status}.`] };
}

/** Enough to hide the latency; more parallel requests are not answered sooner. */
const CONCURRENCY = 32;

/** Polls each item, a bounded number in parallel; the answers by the items' ids. */
export async function mapConcurrently<Item extends { id: string }, Answer>(
  items: Item[],
  fetchOne: (item: Item) => Promise<Answer>,
): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const waiting = items.values();
  const drainItems = async (): Promise<void> => {
    for (const item of waiting) answers.set(item.id, await fetchOne(item));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, drainItems));
  return answers;
}
