import type { Egress } from '@kinora/egress';
import type { SubmitOutcome } from '../compute-provider.port';
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
